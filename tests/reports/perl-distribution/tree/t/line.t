use strict;
use warnings;
use Test::More;
use App::Tollgate::Line;

my $line = App::Tollgate::Line->parse('2001:db8:1:2:3::4 - - [02/Aug/2019:10:00:00 +0000] "GET / HTTP/1.1" 200 5');
is $line->{address}, '2001:db8:1:2::/64', 'IPv6 by its network';
is +App::Tollgate::Line->parse('nonsense'), undef, 'nonsense';

done_testing;
