let
  lathe = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleLathe00";
  router = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleRouter0";
in
{
  "backup.age".publicKeys = [ lathe ];
  "wireguard.age".publicKeys = [ router ];
}
