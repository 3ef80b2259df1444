class ToolsController < ApplicationController
  def index
    @tools = Tool.order(:name)
  end

  def show
    @tool = Tool.find(params[:id])
  end
end
