# The password comes from TF_VAR_db_password.
