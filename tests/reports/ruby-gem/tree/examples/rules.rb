# frozen_string_literal: true

account name: "rent", like: "*landlord*"
account name: "food", like: "*bakery*"
