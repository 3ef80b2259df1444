module "network" {
  source = "../../modules/network"

  name = "production"
  cidr = "10.10.0.0/16"
}

module "database" {
  source = "../../modules/database"

  name     = "production"
  subnets  = module.network.private_subnets
  password = var.db_password
  size     = "db.m6g.large"
}
