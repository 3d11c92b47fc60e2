#!/usr/bin/env perl
# Checks the language of pages: no sentence has more than 35 words, and none uses a phrase that readers had to read twice.
# A cell of a table, an item of a list and a heading are sentences of their own; in cells, what a semicolon ends is one too.
# Code is not looked at.
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

for my $file (@ARGV) {
    open my $in, '<', $file or die "$file: $!\n";
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
exit $found;
