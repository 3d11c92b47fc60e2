#!/usr/bin/perl
# Lines and C tokens of each area and suite, against .ci/budget. Tokens are counted as well, so that joining lines buys
# nothing; comments and blank lines count as lines alone. So are the words of the pages for users.
#   sizes.pl ROOT            fails where something is larger than its budget, or has none
#   sizes.pl ROOT --print    today's sizes, as lines of .ci/budget
use strict;
use warnings;

my ($root, $print) = @ARGV;
chdir $root or die "$root: $!\n";
my (%lines, %tokens, %budget);
my $words = 0;
for my $path (split /\n/, `git ls-files README.md CHANGELOG.md CONTRIBUTING.md 'docs/*.md'`) {
    open my $file, '<', $path or next;
    while (<$file>) { $words += grep { /\w/ } split }
}

for my $path (split /\n/, `git ls-files '*.c' '*.h'`) {
    my ($area) = $path =~ m{^(tests/[^/]+(?=/)|[^/]+)} or next;
    next if $path eq 'layers/capture/table/d3d12_table.h' || !-e $path; # generated
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    my $text = <$file>;
    $lines{$area} += $text =~ tr/\n//;
    $tokens{$area} += () = $text =~ m{
        /\*.*?\*/(*SKIP)(*FAIL) | //[^\n]*(*SKIP)(*FAIL)
        | "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | [\w.]+ | ->|\+\+|--|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||\S}gsx;
}

if ($print) {
    printf "size %s: %d %d\n", $_, $lines{$_}, $tokens{$_} for sort keys %lines;
    print "words of pages: $words\n";
    exit 0;
}
open my $file, '<', '.ci/budget' or die ".ci/budget: $!\n";
my ($wrong, $most_words) = (0, 0);
while (<$file>) {
    $budget{$1} = [$2, $3] if /^size (\S+): (\d+) (\d+)$/;
    $most_words = $1 if /^words of pages: (\d+)$/;
}
if ($words > $most_words) {
    print "sizes: the pages have $words words; .ci/budget allows $most_words\n";
    $wrong = 1;
}
for my $area (sort keys %lines) {
    my ($most, $most_tokens) = @{$budget{$area} // [0, 0]};
    next if $lines{$area} <= $most && $tokens{$area} <= $most_tokens;
    print "sizes: $area has $lines{$area} lines and $tokens{$area} C tokens; .ci/budget allows $most and $most_tokens\n";
    $wrong = 1;
}
print "sizes: what grows says what leaves: take as much away, or raise the budget in the same commit, whose message names what went for it\n" if $wrong;
exit $wrong;
