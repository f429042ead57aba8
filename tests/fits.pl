#!/usr/bin/perl
# Each line of standard input is a command of sov: it is run with --json, and what it prints must be
# one envelope whose data has the fields, with the kinds, that `sov schema` gives for the verb. What
# does not fit is printed; a line that begins with N: is a command that ends with status N.
use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->utf8;
sub kind {
    my ($value) = @_;
    return 'null' unless defined $value;
    return 'boolean' if JSON::PP::is_bool($value);
    return 'array' if ref $value eq 'ARRAY';
    return 'object' if ref $value eq 'HASH';
    return $json->encode([$value]) =~ /^\["/ ? 'string' : 'integer';
}
sub properties {
    my ($verb, $second) = @_;
    for my $words ("$verb $second", $verb) {
        my $text = `sov schema $words --json 2>/dev/null`;
        next unless $text;
        my $data = $json->decode($text)->{data};
        return ($data->{title}, $data->{properties}{data}{properties});
    }
    return;
}
while (my $line = <STDIN>) {
    chomp $line;
    my $want = $line =~ s/^(\d):// ? $1 : 0;
    my ($verb, $second) = split ' ', $line;
    my ($title, $properties) = properties($verb, $second && $second =~ /^[a-z]+$/ ? $second : '');
    my $text = `sov $line --json 2>err`;
    my $status = $? >> 8;
    print "$line: ended with $status\n", `cat err` if $status != $want;
    my $result = eval { $json->decode($text) } or do { print "$line: no JSON\n"; next };
    print "$line: is $result->{schema}, not $title\n" if $result->{schema} ne $title;
    print "$line: no envelope\n" if join(' ', sort keys %$result) ne 'data ledger schema warnings';
    my $data = $result->{data};
    for my $row (ref $data eq 'ARRAY' ? @$data : $data) {
        for my $key (sort keys %$row) {
            my $type = $properties->{$key}{type};
            my @types = ref $type ? @$type : ($type // 'nothing');
            my $kind = kind($row->{$key});
            print "$line: $key is $kind, not @types\n" unless grep { $_ eq $kind } @types;
        }
    }
}
