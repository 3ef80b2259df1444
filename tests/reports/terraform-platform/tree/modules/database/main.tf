# PostgreSQL on RDS.
resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.subnets
}

resource "aws_db_instance" "this" {
  identifier              = var.name
  engine                  = "postgres"
  engine_version          = "16.2"
  instance_class          = var.size
  allocated_storage       = 50
  storage_encrypted       = true
  username                = "shop"
  password                = var.password
  db_subnet_group_name    = aws_db_subnet_group.this.name
  backup_retention_period = 14
}
