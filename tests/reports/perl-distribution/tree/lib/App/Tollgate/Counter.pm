package App::Tollgate::Counter;
use strict;
use warnings;

=head1 NAME

App::Tollgate::Counter - how often an address came, here or in Redis for several servers

=cut

sub new {
    my ($class, %self) = @_;
    if ($self{redis}) {
        require Redis;
        $self{store} = Redis->new(server => $self{redis}, reconnect => 60);
    }
    return bless { seen => {}, %self }, $class;
}

sub too_often {
    my ($self, $line) = @_;
    my $window = int($line->{time} / $self->{per});
    my $key    = "$line->{address}/$window";
    my $count  = $self->{store} ? $self->{store}->incr("tollgate:$key") : ++$self->{seen}{$key};
    return $count == $self->{limit} + 1;
}

1;
