#!/usr/bin/perl
# Holds JSON documents against a schema of docs/schema: the keywords that those use, and no others.
#   schema.pl SCHEMA [--strict] DOCUMENT...     --strict: a member that the schema doesn't name is an error
use strict;
use warnings;
use JSON::PP;

my $schema_path = shift // die "usage: schema.pl SCHEMA [--strict] DOCUMENT...\n";
my $strict = @ARGV && $ARGV[0] eq '--strict' ? shift : 0;
my %known = map { $_ => 1 } qw($schema $id $defs $ref title description type required properties items enum const pattern
  minimum maximum anyOf additionalProperties);
my $errors = 0;

sub read_json {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/;
    my $json = eval { JSON::PP->new->utf8->decode(<$file>) };
    die "$path: no JSON: $@" unless defined $json;
    return $json;
}

my $root = read_json($schema_path);

sub type_of {
    my ($value) = @_;
    return 'null' unless defined $value;
    return 'boolean' if JSON::PP::is_bool($value);
    return 'object' if ref $value eq 'HASH';
    return 'array' if ref $value eq 'ARRAY';
    # A number is what JSON::PP has made no string of.
    my $flags = B::svref_2object(\$value)->FLAGS;
    return 'string' if $flags & B::SVf_POK();
    return $value == int $value ? 'integer' : 'number';
}

# The first thing that is wrong, or undef.
sub check {
    my ($schema, $value, $at) = @_;
    for my $word (keys %$schema) { die "schema: keyword $word is not understood\n" unless $known{$word}; }
    if (my $ref = $schema->{'$ref'}) {
        my ($name) = $ref =~ m{^#/\$defs/(\w+)$} or die "schema: $ref\n";
        return check($root->{'$defs'}{$name} // die("schema: no $name\n"), $value, $at);
    }
    my $type = type_of($value);
    if (my $any = $schema->{anyOf}) {
        my @wrong = map { check($_, $value, $at) } @$any;
        return (grep { !defined } @wrong) ? undef : "$at: none of the alternatives: " . join '; ', grep { defined } @wrong;
    }
    if (my $wanted = $schema->{type}) {
        return "$at: $type in the place of $wanted" if $type ne $wanted && !($wanted eq 'number' && $type eq 'integer');
    }
    return "$at: not " . JSON::PP->new->allow_nonref->encode($schema->{const})
      if exists $schema->{const} && (!defined $value || $value ne $schema->{const});
    return "$at: '" . ($value // 'null') . "' is not in the list"
      if $schema->{enum} && !grep { defined $value && $_ eq $value } @{ $schema->{enum} };
    return "$at: '$value' is not written so" if defined $schema->{pattern} && $value !~ /$schema->{pattern}/;
    return "$at: $value is too small" if defined $schema->{minimum} && $value < $schema->{minimum};
    return "$at: $value is too large" if defined $schema->{maximum} && $value > $schema->{maximum};
    if ($type eq 'array' && $schema->{items}) {
        for my $i (0 .. $#$value) {
            my $wrong = check($schema->{items}, $value->[$i], "$at\[$i]");
            return $wrong if defined $wrong;
        }
    }
    return undef if $type ne 'object';
    for my $name (@{ $schema->{required} // [] }) { return "$at: $name is missing" unless exists $value->{$name}; }
    for my $name (sort keys %$value) {
        my $of = $schema->{properties}{$name} // $schema->{additionalProperties};
        return "$at: $name is not in the schema" if !$of && $strict;
        my $wrong = $of && check($of, $value->{$name}, "$at.$name");
        return $wrong if defined $wrong && $wrong;
    }
    return undef;
}

require B;
die "no documents\n" unless @ARGV;
for my $path (@ARGV) {
    my $wrong = check($root, read_json($path), '$');
    next unless defined $wrong;
    print "$path: $wrong\n";
    $errors++;
}
print scalar(@ARGV), " documents, $errors wrong\n";
exit($errors ? 1 : 0);
