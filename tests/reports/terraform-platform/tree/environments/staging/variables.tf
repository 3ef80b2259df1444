variable "db_password" {
  type      = string
  sensitive = true
}

variable "shop_tag" {
  type = string
}
