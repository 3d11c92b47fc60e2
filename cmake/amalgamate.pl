#!/usr/bin/env perl
# The library as two files, and the reader as two more: dist/annot.c and .h, dist/annot_reader.c and .h.
#   amalgamate.pl SOURCE_DIR OUT_DIR [XXHASH_INCLUDE]
#
# Each .c holds the files of its folders one after the other, as lib/CMakeLists.txt lists them: headers where they are first
# included, includes of the system on top. What two files define under one name (a static function, a struct, a constant) gets
# the file's name behind it; macros end with their file.
use strict;
use warnings;

my ($source, $out, $xxhash) = @ARGV;
die "amalgamate.pl SOURCE_DIR OUT_DIR [XXHASH_INCLUDE]\n" unless $out;

sub contents {
    my ($path) = @_;
    open my $file, '<', $path or die "amalgamate: $path: $!\n";
    local $/;
    return scalar <$file>;
}

sub store {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "amalgamate: $path: $!\n";
    print $file $text;
    close $file or die "amalgamate: $path: $!\n";
}

my $lists = contents("$source/lib/CMakeLists.txt");

sub sources {
    my ($variable) = @_;
    $lists =~ /set\($variable ([\w ]+)\)/ or die "amalgamate: lib/CMakeLists.txt does not set $variable\n";
    return map { sort glob "$source/lib/$_/*.c" } split ' ', $1;
}

contents("$source/CMakeLists.txt") =~ /project\(annot VERSION ([\d.]+)/ or die "amalgamate: no version\n";
my $version = $1;

# ---- names ----

# The names that a file defines for itself, at the left margin: name -> { tag, function, value }.
sub own_names {
    my ($text) = @_;
    my %names;
    $text =~ s{/\*.*?\*/}{}gs;
    $text =~ s{//[^\n]*}{}g;
    my @lines = split /\n/, $text;
    for my $i (0 .. $#lines) {
        my $line = $lines[$i];
        if ($line =~ /^(?:static|_Thread_local)\b/) {
            my $head = $line;
            $head .= ' ' . $lines[++$i] while $head !~ /[({=;]/ && $i < $#lines;
            $names{$1}{ $2 eq '(' ? 'function' : 'value' } = 1
                if $head =~ /^[^(=;\[]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)*(\(|=|;|$)/ && $head !~ /^static const struct \{/;
        }
        $names{$1}{tag} = 1 if $line =~ /^(?:struct|union|enum)\s+(\w+)\s*\{/;
        $names{$1}{value} = 1 if $line =~ /^typedef\b.*?\b(\w+);$/;
    }
    # constants, and names behind a struct or a table that spans lines
    while ($text =~ /^(?:static const |typedef )?enum\s*\w*\s*\{(.*?)\}/gms) {
        my $body = $1;
        $names{$_}{value} = 1 for grep { defined } map { /^\s*(\w+)/ ? $1 : undef } split /,/, $body;
    }
    $names{$1}{value} = 1 while $text =~ /^\}\s*(?:const\s+)?(\w+)(?:\[[^\]]*\])*\s*(?:=|;)/gm;
    delete $names{_Atomic}; # static _Atomic(bool) name
    return \%names;
}

# Each name by its replacement: [tag|function|value -> 1, replacement]. Members, strings and comments keep theirs; so do variables
# and parameters that are called as a function is.
sub renamed {
    my ($text, $names) = @_;
    return $text unless %$names;
    return join '', map { renamed_in($_, $names) } split /(?<=^}\n)/m, $text; # a function or structure at a time
}

sub renamed_in {
    my ($text, $names) = @_;
    my %is_local;
    for my $name (keys %$names) {
        my @declared = $text =~ /\b(\w+)(?:\s+|\s*\*+(?:const )?)\Q$name\E\s*[;=,\[)]/g;
        $is_local{$name} = 1 if grep { !/^(?:return|else|case)$/ } @declared;
    }
    my $any = join '|', map { quotemeta } sort keys %$names;
    my $replaced = sub {
        my ($before, $name, $behind) = @_;
        my ($kinds, $to) = @{ $names->{$name} };
        return $kinds->{tag} ? $to : $name if $before =~ /\b(?:struct|union|enum)\s+$/;
        return $to if $kinds->{value};
        return $name unless $kinds->{function};
        return $to if $behind =~ /^\s*\(/;
        return $name if $is_local{$name};
        return $to if $before =~ /(?:[,(=&{?:!|]|\breturn)\s*$/;
        return $name;
    };
    my $result = '';
    while ($text =~ m{\G(.*?)(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<![\w.])(?<!->)(?:$any)\b|\z)}gs) {
        my ($between, $token) = ($1, $2);
        $result .= $between;
        last if $token eq '' && pos($text) == length $text;
        $result .= $token =~ m{^\w} ? $replaced->(substr($result, -24), $token, substr($text, pos($text), 8)) : $token;
    }
    return $result;
}

# ---- one file out of many ----

my %public_system; # <annot/x.h> -> already in a header of the output

# Bodies and system includes of one output.
sub joined {
    my ($files, $is_known) = @_;
    my (%seen, %systems, @bodies);
    my $embed;
    $embed = sub {
        my ($path, $text) = @_;
        my @conditions;
        my $result = '';
        for my $line (split /\n/, $text) {
            if ($line =~ /^#\s*if/) { push @conditions, $line }
            elsif ($line =~ /^#\s*else/) { $conditions[-1] .= ' else' }
            elsif ($line =~ /^#\s*endif/) { pop @conditions }
            if ($line =~ /^#\s*include\s+([<"])([^>"]+)[>"]/) {
                my ($kind, $name) = ($1, $2);
                my ($inside) = grep { -e } $kind eq '<' ? "$source/include/$name"
                             : ("$source/lib/$name", $path =~ m{^(.*/)} ? "$1$name" : (), "$source/platform/$name", "$source/include/annot/$name");
                if (defined $inside) {
                    1 while $inside =~ s{[^/]+/\.\./}{};
                    next if $is_known->{$inside} || $seen{$inside}++;
                    $result .= "\n/* ---- " . ($inside =~ s{^\Q$source\E/}{}r) . " ---- */\n\n" . $embed->($inside, contents($inside));
                    next;
                }
                next if $name eq 'xxhash.h';
                my $under = '';
                my $where = $path =~ /_posix\.c$/ ? 'posix' : $path =~ /_win32\.c$/ ? 'win32' : 'all';
                for my $condition (@conditions) {
                    next if $condition =~ /^#\s*ifndef \w+_H$/;
                    if ($condition =~ /^#\s*ifdef _WIN32$/ || $condition =~ /^#\s*ifndef _WIN32 else$/) { $where = 'win32' }
                    elsif ($condition =~ /^#\s*ifndef _WIN32$/ || $condition =~ /^#\s*ifdef _WIN32 else$/) { $where = 'posix' }
                    elsif ($condition =~ /__cplusplus/) { $where = '' }
                    else { $under = $condition }
                }
                if ($where eq '') { $result .= "$line\n" }
                elsif ($under ne '') { $systems{$where}{"$under\n#include <$name>\n#endif"} = 1 }
                else { $systems{$where}{"#include <$name>"} = 1 }
                next;
            }
            next if $line =~ /^#define XXH_INLINE_ALL|^#pragma once$/;
            $result .= "$line\n";
        }
        return $result;
    };

    my (%owners, %texts);
    for my $path (@$files) {
        $texts{$path} = contents($path);
        $owners{$_}{$path} = 1 for keys %{ own_names($texts{$path}) };
    }
    for my $path (@$files) {
        my $stem = $path =~ s{.*/lib/(.*)\.c$}{$1}r =~ s{\W}{_}gr;
        my %names;
        my $own = own_names($texts{$path});
        for my $name (keys %$own) {
            $names{$name} = [ $own->{$name}, "${name}__$stem" ] if keys %{ $owners{$name} } > 1;
        }
        my $system = $path =~ /_posix\.c$/ ? '#ifndef _WIN32' : $path =~ /_win32\.c$/ ? '#ifdef _WIN32' : undef;
        my $text = renamed($texts{$path}, \%names);
        my $in_front = ''; # headers that another system's files want, too
        if ($system) {
            my $includes = join "\n", $text =~ m{^(#include (?:"|<annot/)[^\n]*)$}gm;
            $in_front = $embed->($path, $includes);
        }
        my $body = $embed->($path, $text);
        my %macros = map { $_ => 1 } $texts{$path} =~ /^#define (\w+)/gm;
        delete @macros{qw(XXH_INLINE_ALL __USE_MINGW_ANSI_STDIO)};
        $body .= "#undef $_\n" for sort keys %macros;
        my $name = $path =~ s{^\Q$source\E/}{}r;
        push @bodies, "\n/* ==== $name ==== */\n\n" . ($system ? "$in_front$system\n$body#endif /* $name */\n" : $body);
    }
    return (join('', @bodies), \%systems);
}

sub system_includes {
    my ($systems) = @_;
    my $text = join '', map { "$_\n" } sort keys %{ $systems->{all} };
    $text .= "#ifdef _WIN32\n" . join('', map { "$_\n" } sort keys %{ $systems->{win32} })
        . "#else\n" . join('', map { "$_\n" } sort keys %{ $systems->{posix} }) . "#endif\n"
        if $systems->{win32} || $systems->{posix};
    return $text;
}

# Public headers as one, and what is in it.
sub header {
    my ($guard, $intro, $first, @names) = @_;
    my %in;
    my @files = map { "$source/include/annot/$_" } @names;
    my $text = "$intro\n#ifndef $guard\n#define $guard\n\n$first\n";
    my %systems;
    my $embed;
    $embed = sub {
        my ($path) = @_;
        return '' if $in{$path}++ || $main::reader_knows{$path};
        my $result = '';
        for my $line (split /\n/, contents($path)) {
            if ($line =~ /^#\s*include\s+"([^"]+)"/ || $line =~ m{^#\s*include\s+<annot/([^>]+)>}) {
                $result .= $embed->("$source/include/annot/$1");
            } else { $result .= "$line\n" }
        }
        return "\n/* ---- annot/" . ($path =~ s{.*/}{}r) . " ---- */\n\n$result";
    };
    $text .= $embed->($_) for @files;
    return ("$text\n#endif\n", \%in);
}

our %reader_knows;
my $licence = contents("$source/LICENSE");
$licence =~ s/\s+\z//;
my $made = "libannot $version as two files; made of its sources by `make amalgamation`, which is where to change them.";
my $static = <<'H';
/* Not a DLL's functions, and nothing that your own shared library exports. */
#if !defined(ANNOT_STATIC) && !defined(ANNOT_BUILDING) && !defined(ANNOT_READER_BUILDING)
#define ANNOT_STATIC
#endif
H

mkdir $out;
my @public = qw(export.h annot.h ddi.h dump.h evidence.h calls.h pix.h shader.h conformance.h);
my ($annot_h, $in_annot_h) = header('ANNOT_AMALGAMATION_H', "/*\n * $made\n *\n" . (join "\n", map { $_ eq '' ? ' *' : " * $_" } split /\n/, $licence)
    . "\n */", $static, @public);
store("$out/annot.h", $annot_h);
%reader_knows = %$in_annot_h;
my ($reader_h, $in_reader_h) = header('ANNOT_READER_AMALGAMATION_H',
    "/* libannot-reader $version: dumps read and explained. Compile annot_reader.c and annot.c. */",
    "#include \"annot.h\"\n", qw(reader.h timeline.h fleet.h dxdmp.h));
store("$out/annot_reader.h", $reader_h);

if (!$xxhash) {
    my $cc = $ENV{CC} || 'cc';
    ($xxhash) = `echo '#include <xxhash.h>' | $cc -M -x c -` =~ m{(\S+)/xxhash\.h};
    die "amalgamate: $cc does not find xxhash.h\n" unless $xxhash;
}
my $vulkan = contents("$source/include/annot/vulkan.h");
$vulkan =~ s/#include "ddi\.h"\n#include "dump\.h"\n#include "evidence\.h"\n/#include "annot.h"\n/ or die "amalgamate: vulkan.h includes something else\n";
store("$out/annot_vulkan.h", $vulkan);

my $hash = contents("$xxhash/xxhash.h");
my $hash_part = <<'H' . $hash . <<'T';

/* ---- xxHash, whose licence stands in front of it; with -DANNOT_SYSTEM_XXHASH the system's own is included ---- */

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#ifdef ANNOT_SYSTEM_XXHASH
#include <xxhash.h>
#else
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-align"
#pragma GCC diagnostic ignored "-Warray-bounds" /* of gcc -O3, in branches that short data never takes */
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-function"
#elif defined(_MSC_VER)
#pragma warning(push, 0)
#endif
H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif
T

for my $part (['annot', 'annot_folders', $in_annot_h], ['annot_reader', 'annot_reader_folders', { %$in_annot_h, %$in_reader_h }]) {
    my ($name, $variable, $known) = @$part;
    my ($body, $systems) = joined([ sources($variable) ], $known);
    store("$out/$name.c", <<"H" . system_includes($systems) . $hash_part . <<'M' . "#include \"$name.h\"\n$body\n" . <<'E');
/* $made */
#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#if defined(_WIN32) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1
#endif
#ifndef ANNOT_VERSION
#define ANNOT_VERSION "$version"
#endif
H

/* The insides have functions in headers, of which one file does not use all. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#endif
/* A shared library that this becomes part of exports nothing of it. */
#if defined(__GNUC__) && !defined(_WIN32) && !defined(ANNOT_BUILDING) && !defined(ANNOT_READER_BUILDING)
#pragma GCC visibility push(hidden)
#endif

M
#if defined(__GNUC__) && !defined(_WIN32) && !defined(ANNOT_BUILDING) && !defined(ANNOT_READER_BUILDING)
#pragma GCC visibility pop
#endif
E
}
