#line 1
package Module::Install;

# For any maintainers:
# The load order for Module::Install is a bit magic.

use 5.006;
use strict 'vars';
use Cwd        ();
use File::Find ();

use vars qw{$VERSION $MAIN};
BEGIN {
	# All Module::Install core packages now require synchronised versions.
	$VERSION = '1.19';
	*inc::Module::Install::VERSION = *VERSION;
	@inc::Module::Install::ISA     = __PACKAGE__;
}

sub import {
	my $class = shift;
	my $self  = $class->new(@_);
	return 1;
}

1;
