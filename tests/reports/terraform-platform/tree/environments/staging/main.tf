module "network" {
  source = "../../modules/network"

  name = "staging"
  cidr = "10.20.0.0/16"
}

module "database" {
  source = "../../modules/database"

  name     = "staging"
  subnets  = module.network.private_subnets
  password = var.db_password
  size     = "db.t4g.small"
}

module "shop" {
  source = "../../modules/service"

  name   = "shop"
  image  = "registry.example.org/shop:${var.shop_tag}"
  vpc    = module.network.vpc
  subnet = module.network.private_subnets
}
