# A backup with restic, every night.
{ config, lib, ... }:
let cfg = config.workshop.backup; in
{
  options.workshop.backup = {
    enable = lib.mkEnableOption "backups";
    paths = lib.mkOption { type = lib.types.listOf lib.types.path; default = [ ]; };
  };

  config = lib.mkIf cfg.enable {
    age.secrets.backup.file = ../secrets/backup.age;
    services.restic.backups.nightly = {
      inherit (cfg) paths;
      passwordFile = config.age.secrets.backup.path;
      repository = "sftp:backup@203.0.113.9:/workshop";
      timerConfig.OnCalendar = "02:30";
    };
  };
}
