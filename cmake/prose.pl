#!/usr/bin/env perl
# Checks the language of pages and of comments in headers: no sentence has more than 35 words, and none uses a phrase that
# readers had to read twice. A cell of a table, an item of a list and a heading are sentences of their own; in cells, what a
# semicolon ends is one too. Code is not looked at. Of comments in .c files the tables alone are checked: clang-format moves the
# end of a long row into the next line.
#   prose.pl FILE...                   prints FILE:LINE: what is wrong, and fails if there was anything
use strict;
use warnings;

my $longest = 35;
my @phrases = ('of which', 'that it has', 'where it is', 'whose is', 'nobody wants', 'such as are', 'as far as they go');
my $found = 0;

sub complain {
    my ($file, $line, $what) = @_;
    print "$file:$line: $what\n";
    $found = 1;
}

sub check_sentences {
    my ($file, $line, $text) = @_;
    $text =~ s/\[([^\]]*)\]\([^)]*\)/$1/g; # a link counts by its text
    $text =~ s/`[^`]*`/code/g;
    for my $phrase (@phrases) {
        complain($file, $line, "'$phrase': say it with subject, verb and object") if $text =~ /\b\Q$phrase\E\b/i;
    }
    for my $sentence (split /(?<=[.?!])\s+/, $text) {
        my @words = $sentence =~ /[\w'’#%.-]*\w[\w'’#%.-]*/g;
        next if @words <= $longest;
        complain($file, $line, @words . " words: '" . join(' ', @words[0 .. 5]) . " ...'; $longest are the most");
    }
}

sub check_page {
    my ($file, $in) = @_;
    my ($text, $start, $fenced) = ('', 1, 0);
    my $flush = sub { check_sentences($file, $start, $text) if $text ne ''; $text = '' };
    while (my $row = <$in>) {
        chomp $row;
        if ($row =~ /^\s*```/) { $flush->(); $fenced = !$fenced; next }
        next if $fenced;
        if ($row =~ /^\s*$/ || ($row =~ /^ {4}/ && $text eq '')) { $flush->(); next }
        if ($row =~ /^\s*\|/) {
            $flush->();
            check_sentences($file, $., $_) for split /[|;]/, $row;
            next;
        }
        $flush->() if $row =~ /^\s*(#|[-*] |\d+\. )/;
        $start = $. if $text eq '';
        $text .= ($text eq '' ? '' : ' ') . $row;
    }
    $flush->();
}

# A comment's paragraphs; rows that are indented by four blanks are a table or code.
sub check_comment {
    my ($file, $line, $comment, $is_header) = @_;
    my ($text, $start, $in_rows) = ('', $line, 0);
    my $flush = sub { check_sentences($file, $start, $text) if $text ne '' && $is_header; $text = '' };
    for my $row (split /\n/, $comment) {
        $row =~ s{^\s*\*?/?}{} if $line++ > 0;
        if ($row =~ /^\s*$/) { $flush->(); $in_rows = 0 }
        elsif ($row =~ /^ {4}/ && $text eq '') { $in_rows = 1 }
        elsif ($in_rows && $row =~ /^ ?\S/) {
            complain($file, $line - 1, 'a row of a table goes on at the margin: shorten it, or put an empty line behind the table');
            $in_rows = 0;
        }
        elsif ($in_rows) { }
        else {
            $flush->() if $row =~ /^\s*(-|\d+\.) /;
            $start = $line - 1 if $text eq '';
            $text .= ($text eq '' ? '' : ' ') . $row;
        }
    }
    $flush->();
}

sub check_source {
    my ($file, $in) = @_;
    local $/;
    my $source = <$in>;
    while ($source =~ m{("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|/\*(.*?)\*/}gs) {
        next if defined $1;
        my $comment = $2;
        my $line = 1 + (substr($source, 0, $-[0]) =~ tr/\n//);
        check_comment($file, $line, $comment, $file =~ /\.h$/);
    }
}

for my $file (@ARGV) {
    open my $in, '<', $file or die "$file: $!\n";
    if ($file =~ /\.[ch]$/) { check_source($file, $in) }
    else { check_page($file, $in) }
}
exit $found;
