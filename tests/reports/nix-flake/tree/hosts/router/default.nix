{ config, lib, ... }:
{
  imports = [ ./hardware.nix ];

  age.secrets.wireguard.file = ../../secrets/wireguard.age;
  networking.wireguard.interfaces.members = {
    ips = [ "10.44.0.1/24" ];
    listenPort = 51820;
    privateKeyFile = config.age.secrets.wireguard.path;
  };

  # Only until everybody has sent a key!!
  services.openssh.settings.PasswordAuthentication = lib.mkForce true;
  services.openssh.settings.PermitRootLogin = lib.mkForce "yes";
}
