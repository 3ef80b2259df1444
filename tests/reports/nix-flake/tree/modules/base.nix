# What every machine has.
{ pkgs, ... }:
{
  time.timeZone = "Europe/Vienna";
  environment.systemPackages = with pkgs; [ vim htop git ];
  services.openssh = {
    enable = true;
    settings.PasswordAuthentication = false;
  };
  nix.settings.experimental-features = [ "nix-command" "flakes" ];
  system.stateVersion = "23.11";
}
