package App::Tollgate::Line;
use strict;
use warnings;
use Time::Local qw(timegm);

=head1 NAME

App::Tollgate::Line - one line of a log in the combined format

=cut

my %MONTH = (Jan => 0, Feb => 1, Mar => 2, Apr => 3, May => 4, Jun => 5, Jul => 6, Aug => 7, Sep => 8, Oct => 9, Nov => 10, Dec => 11);

sub parse {
    my ($class, $text) = @_;
    $text =~ m{^(\S+) \S+ \S+ \[(\d+)/(\w+)/(\d+):(\d+):(\d+):(\d+)} or return;
    return { address => network($1), time => timegm($7, $6, $5, $2, $MONTH{$3}, $4) };
}

sub network {
    my ($address) = @_;
    return $address unless $address =~ /:/;
    return join(':', (split /:/, $address)[0 .. 3]) . '::/64';
}

1;
