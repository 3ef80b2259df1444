db_password = "q7Lw2ZrXv9TnKe4s"
shop_tag    = "2024-05-02"
