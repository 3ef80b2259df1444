{ pkgs, ... }:
{
  imports = [ ./hardware.nix ../../modules/backup.nix ];

  services.forgejo = {
    enable = true;
    database.type = "postgres";
    settings.server.ROOT_URL = "https://code.workshop.example.org";
  };
  services.postgresql.package = pkgs.postgresql_15;

  workshop.backup = {
    enable = true;
    paths = [ "/var/lib/forgejo" ];
  };
  networking.firewall.allowedTCPPorts = [ 443 ];
}
