# This file is auto-generated from the current state of the database. Instead
# of editing this file, please use the migrations feature of Active Record.

ActiveRecord::Schema[7.1].define(version: 2024_05_18_091204) do
  enable_extension "plpgsql"

  create_table "tools", force: :cascade do |t|
    t.string "name", null: false
  end

  create_table "members", force: :cascade do |t|
    t.string "email", null: false
    t.index ["email"], unique: true
  end

  create_table "loans", force: :cascade do |t|
    t.bigint "tool_id", null: false
    t.bigint "member_id", null: false
    t.date "started_on", null: false
    t.date "returned_on"
  end
end
