# The operators of mutate.pl: which wrong changes a C file offers.
#
# A candidate is {line, operator, edits}, where an edit is [offset, length, text]. Comments, strings and preprocessor lines
# are blanked first, so that only code is found, at the offsets that it has in the file. Only bodies of functions are looked
# at. The sources are as clang-format leaves them: binary operators have spaces around them, and `if` a brace or a line.
package operators;
use strict;
use warnings;

my $keyword = qr/\b(?:if|for|while|switch|return|sizeof|do|else|case|default|goto|break|continue|defined|_Generic)\b/;
my $release = qr/\b\w*(?:[Rr]elease|free|destroy|unref|close|drop|remove|unlink|put|clear|reset)\w*$/;

sub spaces { (my $text = shift) =~ s/[^\n]/ /g; $text }

# The same text with everything that isn't code blanked, offsets and lines kept.
sub masked {
    my $text = shift;
    $text =~ s{(/\*.*?\*/|//[^\n]*)|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)+)'}
              {defined $1 ? spaces($1) : defined $2 ? '"' . "_" x length($2) . '"' : "'" . "_" x length($3) . "'"}gse;
    $text =~ s/^([ \t]*#(?:[^\n\\]|\\.|\\\n)*)/spaces($1)/gme;
    return $text;
}

# The offset behind the bracket that closes the one at $at; undef in code that isn't balanced.
sub behind_bracket {
    my ($code, $at) = @_;
    my $depth = 0;
    pos($$code) = $at;
    while ($$code =~ /([\[({])|([\])}])/g) {
        $depth += defined $1 ? 1 : -1;
        return pos($$code) if $depth == 0;
    }
    return undef;
}

# [start, end] of each function's body: a brace at the outermost level behind a parenthesis.
sub bodies {
    my $code = shift;
    my @found;
    my $at = 0;
    while (1) {
        pos($$code) = $at;
        last unless $$code =~ /\{/g;
        my $open = pos($$code) - 1;
        my $end = behind_bracket($code, $open) // last;
        push @found, [$open, $end] if substr($$code, 0, $open) =~ /\)\s*$/;
        $at = $end;
    }
    return @found;
}

# The arguments in a pair of parentheses: [offset, length] each, without the spaces around them.
sub arguments {
    my ($code, $open, $end) = @_;
    my @found;
    my ($depth, $start) = (0, $open + 1);
    for my $at ($open + 1 .. $end - 1) {
        my $char = substr $$code, $at, 1;
        if ($at == $end - 1 || ($char eq ',' && $depth == 0)) {
            my $text = substr $$code, $start, $at - $start;
            $text =~ /^(\s*)(.*?)\s*$/s;
            push @found, [$start + length $1, length $2] if length $2;
            $start = $at + 1;
        } elsif ($char =~ /[(\[{]/) { $depth++ } elsif ($char =~ /[)\]}]/) { $depth-- }
    }
    return @found;
}

# Statements of their own: [offset, length with the semicolon].
sub statements {
    my ($code, $open, $end) = @_;
    my @found;
    my $body = substr $$code, $open, $end - $open;
    while ($body =~ /(?<=[;{}):]|else)(\s*\n\s*)(?=[A-Za-z_(*+-])/g) {
        my $start = $open + pos($body);
        my $rest = substr $$code, $start, $end - $start;
        next if $rest =~ /^(?:if|for|while|switch|do|else|case|default|goto|typedef|static|const|struct|enum|union)\b/;
        next if $rest =~ /^[A-Za-z_]\w*\s*:/;
        my ($length, $depth) = (0, 0);
        while ($rest =~ /([(\[])|([)\]])|([{}])|;/g) {
            if (defined $1) { $depth++ } elsif (defined $2) { $depth-- } elsif (defined $3) { last }
            elsif ($depth == 0) { $length = pos $rest; last }
        }
        push @found, [$start, $length] if $length;
    }
    return @found;
}

my %relations = ('<' => ['<=', '>='], '<=' => ['<', '>'], '>' => ['>=', '<='], '>=' => ['>', '<'],
                 '==' => ['!='], '!=' => ['=='], '&&' => ['||'], '||' => ['&&']);

sub relational {
    my ($code, $open, $end, $emit) = @_;
    pos($$code) = $open;
    while ($$code =~ / (<=|>=|==|!=|<|>|&&|\|\|)(?=\s)/g) {
        my $at = pos($$code);
        last if $at > $end;
        my $operator = $1;
        $emit->('relation', [$at - length $operator, length $operator, $_]) for @{$relations{$operator}};
    }
}

sub constants {
    my ($code, $open, $end, $emit) = @_;
    pos($$code) = $open;
    while ($$code =~ /(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])/g) {
        my ($number, $suffix, $at) = ($1, $2, pos($$code));
        last if $at > $end;
        my $start = $at - length("$number$suffix");
        next if length $number > 10; # masks of 64 bits
        my $value = $number =~ /^0x/ ? hex $number : $number =~ /^0./ ? oct $number : $number;
        $emit->('constant', [$start, $at - $start, $value + 1 . $suffix]);
        $emit->('constant', [$start, $at - $start, $value - 1 . $suffix]) if $value > 0;
    }
}

sub conditions {
    my ($code, $open, $end, $emit) = @_;
    my $at = $open;
    while (1) {
        pos($$code) = $at;
        last unless $$code =~ /\b(if|while) (?=\()/g;
        my ($word, $start) = ($1, pos($$code));
        last if $start > $end;
        my $behind = behind_bracket($code, $start) // last;
        $emit->('condition', [$start, 1, '(!('], [$behind - 1, 1, '))']);
        $emit->('condition', [$start, 1, '((void)('], [$behind - 1, 1, '), 0)']);
        $emit->('condition', [$start, 1, '((void)('], [$behind - 1, 1, '), 1)']) if $word eq 'if';
        $at = $start;
    }
}

sub deletions {
    my ($code, $open, $end, $emit) = @_;
    for (statements($code, $open, $end)) {
        my ($start, $length) = @$_;
        my $text = substr $$code, $start, $length;
        next if $text =~ /^(?:return\b[^;]+|assert|cr_assert|\(void\))/;
        next if $text =~ /^[A-Za-z_]\w*(?:\s+[A-Za-z_]\w*)*[\s*]+[A-Za-z_]\w*\s*(?:=|;|\[|,)/; # a declaration
        next if $text =~ /\w*lock\w*\(/; # see locks()
        (my $instead = $text) =~ s/[^\n]//g;
        my ($called) = $text =~ /^([A-Za-z_][\w>.-]*)\(/;
        $emit->(defined $called && $called =~ $release ? 'release' : 'statement', [$start, $length, "(void)0;$instead"]);
    }
}

# A lock is dropped with every unlock of the same object in the function.
sub locks {
    my ($code, $open, $end, $emit) = @_;
    my %calls;
    for (statements($code, $open, $end)) {
        my ($start, $length) = @$_;
        next unless substr($$code, $start, $length) =~ /^(\w*?)(?:un)?(lock\w*)(\(.*\);)$/s;
        push @{$calls{"$2$3"}}, [$start, $length, "(void)0;"];
    }
    $emit->('lock', @{$calls{$_}}) for sort keys %calls;
}

sub orders {
    my ($code, $open, $end, $emit) = @_;
    pos($$code) = $open;
    while ($$code =~ /\bmemory_order_(?:release|acquire|acq_rel|seq_cst|consume)\b/g) {
        my $at = pos($$code);
        last if $at > $end;
        my $length = $+[0] - $-[0];
        $emit->('order', [$at - $length, $length, 'memory_order_relaxed']);
    }
}

sub swaps {
    my ($code, $open, $end, $emit) = @_;
    my $at = $open;
    while (1) {
        pos($$code) = $at;
        last unless $$code =~ /\b([A-Za-z_]\w*)(?=\()/g;
        my ($name, $bracket) = ($1, pos($$code));
        last if $bracket > $end;
        $at = $bracket;
        next if $name =~ /^$keyword$/ || $name =~ /^(?:assert|_Static_assert|offsetof|va_arg)$/;
        my $behind = behind_bracket($code, $bracket) // next;
        my @arguments = arguments($code, $bracket, $behind);
        for my $i (0 .. $#arguments - 1) {
            my ($first, $second) = @arguments[$i, $i + 1];
            my ($one, $other) = map { substr $$code, $_->[0], $_->[1] } $first, $second;
            $emit->('swap', [@$first, $second], [@$second, $first]) if $one ne $other;
        }
    }
}

# All candidates of a file's text, by offset.
sub candidates {
    my $text = shift;
    my $code = masked($text);
    my @found;
    my $line_of = do {
        my @starts = (0);
        push @starts, pos $text while $text =~ /\n/g;
        sub {
            my ($at, $low, $high) = (shift, 0, $#starts);
            while ($low < $high) {
                my $middle = int(($low + $high + 1) / 2);
                if ($starts[$middle] <= $at) { $low = $middle } else { $high = $middle - 1 }
            }
            return $low + 1;
        };
    };
    my $emit = sub {
        my ($operator, @edits) = @_;
        for (@edits) { # a swap names where the other's text lies
            $_ = [$_->[0], $_->[1], substr $text, $_->[2][0], $_->[2][1]] if ref $_->[2];
        }
        push @found, {line => $line_of->($edits[0][0]), operator => $operator, edits => [@edits]};
    };
    for my $body (bodies(\$code)) {
        $_->(\$code, @$body, $emit) for \&relational, \&constants, \&conditions, \&deletions, \&locks, \&orders, \&swaps;
    }
    return sort {
        $a->{edits}[0][0] <=> $b->{edits}[0][0] || $a->{operator} cmp $b->{operator}
            || $a->{edits}[0][2] cmp $b->{edits}[0][2] || $a->{edits}[-1][2] cmp $b->{edits}[-1][2]
    } @found;
}

sub applied {
    my ($text, $candidate) = @_;
    for (sort { $b->[0] <=> $a->[0] } @{$candidate->{edits}}) {
        substr($text, $_->[0], $_->[1]) = $_->[2];
    }
    return $text;
}

1;
