// Strophe: lyrics with chords, on a screen beside your instrument.
#include <gtkmm/application.h>

#include "window.hpp"

int main(int argc, char** argv) {
    auto app = Gtk::Application::create("org.example.Strophe", Gio::Application::Flags::HANDLES_OPEN);
    return app->make_window_and_run<Window>(argc, argv);
}
