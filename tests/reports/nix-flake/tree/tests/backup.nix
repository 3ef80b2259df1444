{ nixosTest }:
nixosTest {
  name = "backup";
  nodes.machine = { imports = [ ../modules/backup.nix ]; };
  testScript = ''
    machine.wait_for_unit("multi-user.target")
  '';
}
