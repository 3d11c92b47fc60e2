#!/usr/bin/env perl
# Do the tests notice? Changes the sources at random places, one small wrong change at a time, and runs the tests on each
# until one fails. Prints the share of mutants that were killed, with its confidence interval, and every survivor.
use strict;
use warnings;
use Cwd qw(abs_path);
use Fcntl qw(:flock);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Getopt::Long;
use POSIX qw(setsid WNOHANG);

my $here = dirname(abs_path($0));
my $root = abs_path("$here/../..");
require "$here/operators.pl";
local $| = 1;

# Where markers, queues, fences and removals are in the D3D12 runtime.
my @default_paths = qw(lib emu/umd emu/kmd emu/gpu emu/d3d12/queue emu/d3d12/sync emu/d3d12/list/command_allocator.c
    emu/d3d12/list/command_list.c emu/d3d12/base/in_flight.c emu/d3d12/device/removed.c emu/d3d12/device/tools.c);

my $usage = <<'USAGE';
usage: mutate.pl [options] [PATH...]     PATH: files and folders of the project; without one lib, emu/umd, emu/kmd, emu/gpu
                                         and what emu/d3d12 has of markers, queues, fences and removals
  --build DIR       mutants are built in DIR-mutants (default: build)
  --count N         how many mutants to try (default: 300)
  --seed S          which ones (default: the hash of the last commit that touched a test)
  --suites LIST     unit, models, flow, emu, conformance, d3d12, config, vulkan, fleet, capture, interface: run in this order
                    until one fails (default: unit,flow,emu,conformance)
  --filter PATTERN  only the tests that fit, SUITE/TEST: --filter '@(copy*|resolve)/*'; not for conformance, fleet, capture and
                    interface
  --jobs N          how many at once, each in a copy of the sources of its own (default: 1)
  --operators LIST  only these: relation constant condition statement release lock order swap
  --list            prints the sample as changes, and runs nothing
  --at-least PERCENT  fails when fewer are killed
  --report          prints what an earlier run with the same seed, suites and paths found
  --again           forgets what such a run found; without it a run goes on where the last one ended
  --self-test       checks the operators against an example
  --help

A place is a line that offers a change; each has the same chance, and gives one mutant, drawn from what it offers. A mutant
that does not compile, or compiles to the same code, is no mutant: the next place takes its turn. One that never ends is
killed, by the time limit. tests/mutants/equivalent.txt names survivors that no test can kill, with reasons.
USAGE

$ENV{ANNOT_CONFIG} = ''; # no settings of this machine
$ENV{XDG_CONFIG_HOME} = '/nonexistent';

my %option = (build => 'build', count => 300, suites => 'unit,flow,emu,conformance', jobs => 1);
GetOptions(\%option, qw(build=s count=i seed=s suites=s filter=s jobs=i operators=s at-least=f list report again self-test help))
    or die $usage;

my %commands = (
    unit => 'build/bin/test-unit --fail-fast -j1',
    models => 'build/bin/test-models --fail-fast -j1',
    flow => 'build/bin/test-flow --fail-fast -j1',
    emu => 'build/bin/test-emu --fail-fast -j1',
    d3d12 => 'build/bin/test-d3d12 --fail-fast -j1',
    config => 'build/bin/test-config --fail-fast -j1',
    vulkan => 'build/bin/test-vulkan --fail-fast -j1', # with --suites vulkan layers/vulkan
    conformance => 'build/bin/annot-conformance --timeout 20 --jobs 1',
    fleet => 'sh source/tests/fleet/suite.sh build/bin', # with --suites fleet lib/redact tools/annot/...
    interface => 'sh source/tests/mutants/interface.sh build/bin', # with --suites interface lib/base lib/record tools/annot/dump/show.c ...
    capture => 'sh source/tests/capture/suite.sh build/bin', # with --suites capture layers/capture/trace ...
);
if (defined $option{filter}) {
    $_ !~ /^(?:conformance|fleet|capture|interface)$/ and $commands{$_} .= " --filter '$option{filter}'" for keys %commands;
}
my %targets = map { $_ => "test-$_" } keys %commands;
$targets{conformance} = 'd3d12 annot-conformance';
$targets{fleet} = 'annot test-unit hang fleet-dump';
$targets{interface} = 'annot test-unit hang runtime conformance-report';
$targets{capture} = 'annot capture_proxy d3d12 test-trace test-d3d12 hang dred dump_file wrong_draw capture-kinds capture-memory capture-parts capture-edit';

sub fail { die "mutants: @_\n" }

sub slurp {
    my $path = shift;
    open my $file, '<', $path or fail "$path: $!";
    local $/;
    return scalar <$file> // '';
}

sub slurp_if { # a process may be gone after a look at its folder
    open my $file, '<', $_[0] or return '';
    local $/;
    return scalar <$file> // '';
}

sub spit {
    my ($path, $text) = @_;
    open my $file, '>', $path or fail "$path: $!";
    print $file $text;
    close $file or fail "$path: $!";
}

# ---- the sample ----

# As they were when this began: sources may be worked on meanwhile.
my %sources;
sub source { return $sources{$_[0]} //= slurp("$root/$_[0]") }

# A generator of our own, so that a seed means the same on every machine.
my $state;
sub hash_of {
    my $hash = 2166136261;
    $hash = (($hash ^ $_) * 16777619) & 0xffffffff for unpack 'C*', shift;
    return $hash;
}
sub draw { # below a bound
    my $bound = shift;
    $state = ($state * 1103515245 + 12345) & 0x7fffffff for 1 .. 2;
    return (($state >> 8) * $bound) >> 23;
}

sub sources {
    my @found;
    for my $path (@_) {
        -e "$root/$path" or fail "$path: no such file or folder in $root";
        push @found, -d "$root/$path" ? map { s{^\Q$root\E/}{}r } grep { !/_win32\.c$/ } split /\n/, `find '$root/$path' -name '*.c'` : $path;
    }
    my %seen;
    return grep { !$seen{$_}++ } sort @found;
}

# Every place once, in the seed's order, with the mutant that it gives.
sub sample {
    my @paths = @_;
    my (%wanted, @places);
    %wanted = map { $_ => 1 } split /,/, $option{operators} if $option{operators};
    for my $path (sources(@paths)) {
        my %lines;
        for (operators::candidates(source($path))) {
            push @{$lines{$_->{line}}}, $_ if !%wanted || $wanted{$_->{operator}};
        }
        push @places, map { {path => $path, line => $_, candidates => $lines{$_}} } sort { $a <=> $b } keys %lines;
    }
    @places or fail 'nothing to change there';
    for my $i (reverse 1 .. $#places) {
        my $j = draw($i + 1);
        @places[$i, $j] = @places[$j, $i];
    }
    return map {
        my $candidate = $_->{candidates}[draw(scalar @{$_->{candidates}})];
        {path => $_->{path}, line => $_->{line}, operator => $candidate->{operator}, candidate => $candidate}
    } @places;
}

# The lines that a mutant changes: before and after.
sub change {
    my $mutant = shift;
    return @{$mutant->{change}} if $mutant->{change};
    my $text = source($mutant->{path});
    my ($start, $end) = (length $text, 0);
    for (@{$mutant->{candidate}{edits}}) {
        $start = $_->[0] if $_->[0] < $start;
        $end = $_->[0] + $_->[1] if $_->[0] + $_->[1] > $end;
    }
    $start = 1 + rindex $text, "\n", $start - 1;
    $end = index $text, "\n", $end;
    my @edits = map { [$_->[0] - $start, @$_[1, 2]] } @{$mutant->{candidate}{edits}};
    my $lines = substr $text, $start, $end - $start;
    my @old = split /\n/, $lines, -1;
    my @new = split /\n/, operators::applied($lines, {edits => \@edits}), -1;
    my @changed = grep { $old[$_] ne $new[$_] } 0 .. $#old;
    my @sides = map { my $side = $_; join ' ', map { $side->[$_] =~ s{^\s+|\s+$}{}gr } @changed } \@old, \@new;
    $mutant->{change} = \@sides;
    return @sides;
}

sub described {
    my ($before, $after) = change($_[0]);
    return "$_[0]{path}:$_[0]{line}: $_[0]{operator}\n  - $before\n  + $after\n";
}

# ---- equivalents ----

sub equivalents {
    my (%found, $file, $before, $after);
    open my $list, '<', "$here/equivalent.txt" or return {};
    while (<$list>) {
        chomp;
        if (/^file (.*)/) { $file = $1 }
        elsif (/^- (.*)/) { $before = $1 }
        elsif (/^\+ (.*)/) { $after = $1 }
        elsif (/^because (.*)/) { $found{"$file\n$before\n$after"} = $1 }
        elsif (/\S/ && !/^#/) { fail "equivalent.txt:$.: not a line of an entry: $_" }
    }
    return \%found;
}

# ---- one tree: a copy of the sources and a build of its own ----

sub run_quietly {
    my ($log, $command) = @_;
    return system("{ $command; } >'$log' 2>&1 </dev/null") == 0;
}

sub tree_make {
    my ($tree, @suites) = @_;
    my $launcher = `command -v ccache 2>/dev/null` ? '-DCMAKE_C_COMPILER_LAUNCHER=ccache' : '';
    # Arguments that only compile with a warning are no mistake that anybody makes.
    my $flags = '-O1 -Werror=incompatible-pointer-types -Werror=int-conversion';
    my $generator = `command -v ninja 2>/dev/null` ? '-G Ninja' : '';
    system("rm -rf '$tree/source' && mkdir -p '$tree/source' && tar -C '$root' -cf - --exclude='./build*' --exclude=./.git . |"
        . " tar -C '$tree/source' -xf -") == 0 or fail "$tree: the sources could not be copied";
    # Objects of an earlier run are newer than sources that have changed since, as old as those are.
    system("find '$tree/source' -type f -exec touch {} +");
    # A folder that an earlier run left is built again where the sources have changed.
    system("rm -rf '$tree/build'") if slurp_if("$tree/build/CMakeCache.txt") !~ /CMAKE_GENERATOR:INTERNAL=\Q@{[$generator ? 'Ninja' : 'Unix Makefiles']}\E$/m;
    run_quietly("$tree/configure.log", "cmake $generator -S '$tree/source' -B '$tree/build' -DCMAKE_BUILD_TYPE=Debug"
        . " -DCMAKE_C_FLAGS_DEBUG='$flags' -DANNOT_TESTS=ON -DANNOT_INSTALL=OFF $launcher")
        or fail "$tree/configure.log: could not be configured";
    tree_build($tree, @suites) or fail "$tree/build.log: does not compile without a mutant";
}

sub tree_build {
    my ($tree, @suites) = @_;
    return run_quietly("$tree/build.log", "cmake --build '$tree/build' -j1 --target @targets{@suites}");
}

# The objects that the compiler made of a source, in each library that has it: path and hash. With `since`, only newer ones.
sub objects {
    my ($tree, $path, $since) = @_;
    (my $name = $path) =~ s{.*/}{};
    my $newer = defined $since ? "-newer '$since'" : '';
    return map { reverse split ' ', $_, 2 } split /\n/, `find '$tree/build' -path '*/$name.o' $newer -exec md5sum {} +`;
}

# Processes of this session besides this one, in whatever group they are.
sub others_of_session {
    return grep { $_ != $$ && slurp_if("/proc/$_/stat") =~ /^\d+ \(.*\) [^ZX] \d+ \d+ $$ /s } map { m{(\d+)$} } glob '/proc/[0-9]*';
}

# In a session of its own: the command until it ends, has printed what fits `enough`, or is past the limit. What it has
# started ends with it: endless children of a mutant would take the processor from the mutants behind it.
# As a shell tells how it ended, 124 past the limit.
sub run_session {
    my ($log, $command, $limit, $enough) = @_;
    my $parent = getppid;
    unlink $log; # what an earlier run said is not this one's
    setsid();
    my $child = fork // exit 1;
    if ($child == 0) {
        open STDIN, '<', '/dev/null' and open STDOUT, '>', $log and open STDERR, '>&', \*STDOUT and exec 'sh', '-c', $command;
        POSIX::_exit(127);
    }
    my ($status, $deadline) = (undef, time + $limit);
    while (!defined $status) {
        $status = $? & 127 ? 128 + ($? & 127) : $? >> 8 if waitpid($child, WNOHANG) == $child;
        $status //= 124 if time >= $deadline;
        $status //= 1 if getppid != $parent || $enough && slurp_if($log) =~ $enough;
        select undef, undef, undef, 0.05 if !defined $status;
    }
    for (my @left; @left = others_of_session(); select undef, undef, undef, 0.01) { kill KILL => @left }
    return $status;
}

sub run_alone {
    my $child = fork // fail "fork: $!";
    POSIX::_exit(run_session(@_)) if $child == 0;
    waitpid $child, 0;
    return $? >> 8;
}

# The first failure of a run, {suite, command, limit}, or undef.
sub killer {
    my ($tree, $run) = @_;
    my ($suite, $log) = ($run->{suite}, "$tree/$run->{suite}.log");
    # the first case that fails decides; those behind it are not waited for
    my $enough = $suite eq 'conformance' ? qr/^not ok.*\n/m : undef;
    my $status = run_alone($log, "cd '$tree' && exec $run->{command}", $run->{limit}, $enough);
    my $said = slurp($log);
    return "$suite: time limit" if $status == 124;
    if ($suite eq 'conformance') {
        return "conformance: $1" if $said =~ /^(not ok.*)/m;
        $status = $said =~ /^[1-9]\d* passed, 0 failed,/m ? 0 : 1;
    }
    return undef if $status == 0;
    my ($test) = $said =~ /\[FAIL\] (\w+::\w+)/;
    my ($last) = $said =~ /([^\t\n]*)\n*\z/; # of a suite that ended without naming a test
    return "$suite: " . ($test // "status $status, $last");
}

# SUITE/TEST of a Criterion suite's tests that take a quarter of a second or longer.
sub slow_tests {
    my ($xml, @slow, $suite) = slurp_if(shift);
    while ($xml =~ /<test(suite|case) name="(\w+)".*? time="([\d.]+)"/g) {
        $1 eq 'suite' ? $suite = $2 : $3 >= 0.25 && push @slow, "$suite/$2";
    }
    return sort @slow;
}

# The runs of the suites, quick ones first: a suite's slow tests, which are few and take most of its time, come after all
# other tests. How long a suite takes without a mutant decides how long a run may take with one.
sub runs_of {
    my ($tree, @suites) = @_;
    my (@quick, @slow);
    for my $suite (@suites) {
        my $command = $commands{$suite};
        my $splits = $command =~ m{/test-} && !defined $option{filter};
        my $start = time;
        my $run = {suite => $suite, command => $splits ? "$command --xml=$tree/$suite.xml" : $command, limit => 1800};
        my $killer = killer($tree, $run);
        fail "$suite fails without any mutant: $tree/$suite.log ($killer)" if $killer;
        my $limit = 20 + 4 * (time - $start);
        my $slow = $splits ? join '|', slow_tests("$tree/$suite.xml") : '';
        push @quick, {suite => $suite, command => $slow ? "$command --filter '!($slow)'" : $command, limit => $limit};
        push @slow, {suite => $suite, command => "$command --filter '\@($slow)'", limit => $limit} if $slow;
    }
    return [@quick, @slow];
}

# Run by run: what an early one kills is not built for the later ones, and none runs that links nothing of the change.
sub verdict_of {
    my ($tree, $runs, $baseline, $mutant) = @_;
    my $file = "$tree/source/$mutant->{path}";
    my $text = slurp($file);
    my $verdict;
    spit($file, operators::applied($text, $mutant->{candidate}));
    for my $run (@$runs) {
        $verdict = 'does not compile', last if !tree_build($tree, $run->{suite});
        my %made = objects($tree, $mutant->{path}, $file) or next;
        $verdict = 'same code', last if !grep { $made{$_} ne ($baseline->{$_} // '') } keys %made;
        my $killer = killer($tree, $run);
        $verdict = defined $killer ? "killed by $killer" : 'survived';
        last if defined $killer;
    }
    spit($file, $text);
    return $verdict // 'same code';
}

# ---- results: a line each, kept ----

my $results;

sub key_of {
    my $mutant = shift;
    my ($before, $after) = change($mutant);
    return join "\t", $mutant->{path}, $mutant->{line}, $mutant->{operator}, $before, $after;
}

sub results_read {
    my %verdicts;
    open my $file, '<', $results or return {};
    while (<$file>) {
        chomp;
        my @fields = split /\t/, $_, -1;
        $verdicts{join "\t", @fields[0 .. 4]} = $fields[5] if @fields == 7;
    }
    return \%verdicts;
}

sub results_add {
    my ($mutant, $verdict, $seconds) = @_;
    open my $file, '>>', $results or fail "$results: $!";
    flock $file, LOCK_EX;
    syswrite $file, join("\t", key_of($mutant), $verdict, $seconds) . "\n";
    close $file;
}

sub is_mutant { defined $_[0] && $_[0] =~ m{^(?:killed|survived)} }

sub tried { my ($verdicts, $mutants) = (results_read(), @_); return scalar grep { is_mutant($verdicts->{key_of($_)}) } @$mutants }

sub work {
    my ($number, $work, $mutants, $pending, @suites) = @_;
    my $tree = "$work/tree-$number";
    system('mkdir', '-p', $tree);
    tree_make($tree, @suites);
    my %baseline = map { $_ => 1 } map { $_->{path} } @$mutants;
    %baseline = map { objects($tree, $_) } keys %baseline;
    my $runs = runs_of($tree, @suites);
    for (my $i = $number; $i < @$pending; $i += $option{jobs}) {
        last if tried($mutants) >= $option{count};
        my $mutant = $pending->[$i];
        my $start = time;
        my $verdict = verdict_of($tree, $runs, \%baseline, $mutant);
        results_add($mutant, $verdict, time - $start);
        printf "%s:%d: %s: %s\n", $mutant->{path}, $mutant->{line}, $mutant->{operator}, $verdict;
    }
}

# ---- the report ----

# Wilson's interval for a share, at 95 %.
sub interval {
    my ($hits, $count) = @_;
    my $z = 1.959964;
    my $share = $hits / $count;
    my $middle = $share + $z * $z / (2 * $count);
    my $spread = $z * sqrt($share * (1 - $share) / $count + $z * $z / (4 * $count * $count));
    my $whole = 1 + $z * $z / $count;
    return (($middle - $spread) / $whole, ($middle + $spread) / $whole);
}

sub report {
    my ($mutants, $seed) = @_;
    my ($verdicts, $equivalents) = (results_read(), equivalents());
    my (%by, @survivors, $killed, $excused, $skipped);
    $killed = $excused = $skipped = 0;
    for my $mutant (@$mutants) {
        my $verdict = $verdicts->{key_of($mutant)} // next;
        $skipped++, next unless is_mutant($verdict);
        my ($before, $after) = change($mutant);
        my $reason = $equivalents->{"$mutant->{path}\n$before\n$after"};
        my ($folder) = $mutant->{path} =~ m{^(emu/\w+|\w+)};
        if ($verdict =~ /^killed/) {
            $killed++;
            $by{$folder}[0]++, $by{$mutant->{operator}}[0]++;
        } elsif (defined $reason) {
            $excused++;
            next;
        } else {
            push @survivors, $mutant;
        }
        $by{$folder}[1]++, $by{$mutant->{operator}}[1]++;
    }
    my $count = $killed + @survivors;
    $count or fail 'no mutant was tried';
    print "survived:\n", map({ described($_) } sort { $a->{path} cmp $b->{path} || $a->{line} <=> $b->{line} } @survivors), "\n"
        if @survivors;
    printf "%-12s %4d of %4d killed\n", $_, $by{$_}[0] // 0, $by{$_}[1] for sort keys %by;
    printf "%d mutants, seed %s, suites %s: %d killed, %d survived, %.1f %% (95 %% interval: %.1f to %.1f %%)\n", $count, $seed,
        $option{suites}, $killed, scalar @survivors, 100 * $killed / $count, map { 100 * $_ } interval($killed, $count);
    print "$excused more are equivalent (equivalent.txt); $skipped places gave no mutant\n";
    return 100 * $killed / $count;
}

# ---- the self-test ----

# Suites that end, that are past their limit, and that have said enough: what they started, here in a group of its own as a
# conformance case is, has ended, too.
sub nothing_is_left_running {
    my $folder = tempdir(CLEANUP => 1);
    my $leave = "set -m; sleep 1000 & echo \$! >'$folder/left'";
    for (["$leave; exit 3", 60, undef, 3], ["$leave; wait", 1, undef, 124], ["$leave; echo not ok; wait", 60, qr/^not ok/m, 1]) {
        my ($command, $limit, $enough, $expected) = @$_;
        my $status = run_alone("$folder/log", $command, $limit, $enough);
        $status == $expected or fail "$command: status $status";
        chomp(my $left = slurp("$folder/left"));
        slurp_if("/proc/$left/stat") =~ /^\d+ \(.*\) [^ZX] /s and fail "$command: process $left is left";
    }
}

sub self_test {
    -e "$root/$_" or fail "$_, a default path, is not there" for @default_paths;
    my $text = slurp("$here/example.c");
    my $expected = slurp("$here/example.txt");
    my $found = '';
    for my $candidate (operators::candidates($text)) {
        my @old = split /\n/, $text, -1;
        my @new = split /\n/, operators::applied($text, $candidate), -1;
        @old == @new or fail "$candidate->{operator} changes the number of lines";
        my ($line) = join ' / ', map { $new[$_] =~ s/^\s+//r } grep { $old[$_] ne $new[$_] } 0 .. $#old;
        $found .= "$candidate->{line} $candidate->{operator}: $line\n";
    }
    my ($low, $high) = interval(95, 100);
    abs($low - 0.8882) < 0.0001 && abs($high - 0.9785) < 0.0001 or fail "Wilson's interval of 95 in 100: $low to $high";
    nothing_is_left_running();
    return print "self-test: ", scalar(split /\n/, $found), " changes\n" if $found eq $expected;
    open my $diff, '|-', 'diff', "$here/example.txt", '-' or fail "diff: $!";
    print $diff $found;
    close $diff;
    fail 'example.txt (<) and what the operators offer for example.c (>) differ';
}

# ---- main ----

print($usage), exit 0 if $option{help};
self_test(), exit 0 if $option{'self-test'};

my @suites = split /,/, $option{suites};
$commands{$_} or fail "$_: no such suite" for @suites;
my @paths = @ARGV ? map { s{/+$}{}r } @ARGV : @default_paths;
my $seed = $option{seed} // substr `git -C '$root' log -1 --format=%H -- tests`, 0, 8;
chomp $seed;
$seed =~ /^\w+$/ or fail 'no history to take a seed from: use --seed';
$state = hash_of("seed $seed") & 0x7fffffff;
my @mutants = sample(@paths);

if ($option{list}) {
    print described($_) for grep { defined } @mutants[0 .. ($option{count} < @mutants ? $option{count} : @mutants) - 1];
    exit 0;
}

my $work = ($option{build} =~ m{^/} ? $option{build} : "$root/$option{build}") . '-mutants';
system('mkdir', '-p', $work) == 0 or fail "$work: can't be made";
$results = sprintf '%s/results-%s-%08x.tsv', $work, $seed, hash_of(join ' ', @suites, @paths, $option{operators} // '', $option{filter} // ());
unlink $results if $option{again};
if (!$option{report}) {
    open my $lock, '>', "$work/lock" or fail "$work/lock: $!";
    flock $lock, LOCK_EX | LOCK_NB or fail "$work: another run is at work there; use --build for a folder of its own";
    my $verdicts = results_read();
    my @pending = grep { !defined $verdicts->{key_of($_)} } @mutants;
    my @children;
    for my $number (0 .. $option{jobs} - 1) {
        my $child = fork // fail "fork: $!";
        if ($child == 0) { work($number, $work, \@mutants, \@pending, @suites); exit 0 }
        push @children, $child;
    }
    for (@children) { waitpid $_, 0; $? == 0 or fail 'a worker ended early; what it found is kept' }
}
exit(report(\@mutants, $seed) < ($option{'at-least'} // 0));
