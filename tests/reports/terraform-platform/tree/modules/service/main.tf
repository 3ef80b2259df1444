# One service on ECS, and the bucket that it keeps files in.
resource "aws_ecs_task_definition" "this" {
  family                   = var.name
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 256
  memory                   = 512
  container_definitions    = jsonencode([{ name = var.name, image = var.image }])
}

resource "aws_s3_bucket" "files" {
  bucket_prefix = "${var.name}-files-"
}
