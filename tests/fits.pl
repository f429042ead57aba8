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
sub kept {
    my ($file) = @_;
    open my $handle, '<', "$ENV{SRC}/fixtures/schemas/$file" or return;
    local $/;
    return $json->decode(<$handle>);
}
# What of the value does not fit the schema: the words that `sov schema` uses, and no others.
sub misfit {
    my ($at, $schema, $value) = @_;
    my %known = map { $_ => 1 } qw($schema title type const enum required properties items pattern
        additionalProperties minimum maximum maxLength minLength maxItems minItems format description
        contentEncoding uniqueItems propertyNames oneOf anyOf maxProperties);
    for my $word (keys %$schema) { return "$at: the schema says $word" unless $known{$word} }
    my $type = $schema->{type};
    my @types = ref $type ? @$type : $type // ();
    return "$at is " . kind($value) . ", not @types" if @types && !grep { $_ eq kind($value) } @types;
    return "$at is not $schema->{const}" if defined $schema->{const} && $schema->{const} ne $value;
    return "$at is none of its words" if $schema->{enum} && !grep { $_ eq $value } @{ $schema->{enum} };
    return "$at does not match" if $schema->{pattern} && $value !~ /$schema->{pattern}/;
    return "$at is too small" if defined $schema->{minimum} && $value < $schema->{minimum};
    return "$at is too large" if defined $schema->{maximum} && $value > $schema->{maximum};
    if (ref $value eq 'ARRAY' && $schema->{items}) {
        for my $item (@$value) { my $bad = misfit("$at\[]", $schema->{items}, $item); return $bad if $bad }
    }
    return unless ref $value eq 'HASH';
    for my $key (@{ $schema->{required} // [] }) { return "$at has no $key" unless exists $value->{$key} }
    my $more = $schema->{additionalProperties};
    for my $key (sort keys %$value) {
        my $of = $schema->{properties}{$key} // (ref $more ? $more : undef);
        return "$at.$key is not in its schema" if !$of && defined $more && !ref $more && !$more;
        my $bad = $of && misfit("$at.$key", $of, $value->{$key});
        return $bad if $bad;
    }
    return;
}
my $error = kept('error.json') or print "no fixtures/schemas/error.json\n";
while (my $line = <STDIN>) {
    chomp $line;
    my $want = $line =~ s/^(\d):// ? $1 : 0;
    my ($verb, $second) = split ' ', $line;
    my ($title, $properties) = properties($verb, $second && $second =~ /^[a-z]+$/ ? $second : '');
    my $text = `sov $line --json 2>err`;
    my $status = $? >> 8;
    print "$line: ended with $status\n", `cat err` if $status != $want;
    if ($want > 1) {
        my $said = eval { $json->decode(scalar `cat err`) };
        my $bad = $said ? misfit('error', $error, $said) : 'no JSON on standard error';
        print "$line: $bad\n" if $bad;
        next;
    }
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
my ($events, %schema) = (0);
for my $line (`sov log --format jsonl`) {
    my $event = $json->decode($line);
    my $of = $schema{ $event->{type} } //= kept("events/$event->{type}.json") // {};
    my $bad = %$of ? misfit($event->{type}, $of, $event) : 'has no schema';
    print "$event->{type} $event->{seq}: $bad\n" if $bad;
    $events++;
}
print "no events\n" unless $events;
