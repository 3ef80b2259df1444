use strict;
use warnings;
use Test::More;
use App::Tollgate::Counter;

my $counter = App::Tollgate::Counter->new(limit => 2, per => 60);
my $line    = { address => '192.0.2.1', time => 600 };
ok !$counter->too_often($line), 'once';
ok !$counter->too_often($line), 'twice';
ok $counter->too_often($line),  'three times';
ok !$counter->too_often($line), 'it is told once';

done_testing;
