package App::Tollgate;
use 5.014;
use strict;
use warnings;

our $VERSION = '0.17';

use Getopt::Long qw(GetOptionsFromArray);
use App::Tollgate::Counter;
use App::Tollgate::Line;

sub run {
    my ($class, @arguments) = @_;
    my ($limit, $per, $redis) = (120, 60, undef);
    GetOptionsFromArray(\@arguments, 'limit=i' => \$limit, 'per=i' => \$per, 'redis=s' => \$redis)
        or die "usage: tollgate [--limit N] [--per SECONDS] [--redis HOST:PORT]\n";
    my $counter = App::Tollgate::Counter->new(limit => $limit, per => $per, redis => $redis);
    while (my $text = <STDIN>) {
        my $line = App::Tollgate::Line->parse($text) or next;
        say $line->{address} if $counter->too_often($line);
    }
    return 0;
}

1;

__END__

=head1 NAME

App::Tollgate - follow web logs and name addresses that ask too often

=head1 DESCRIPTION

Tollgate reads the log of a web server from its standard input, and prints each
address that made more requests than allowed. Give what it prints to your firewall.

=head1 LICENSE

The same terms as the Perl 5 programming language system itself.

=cut
