// The window that shows one song.
#include "window.hpp"

#include "chordpro.hpp"

Window::Window() {
    set_title("Strophe");
    set_child(text);
    text.set_text(chordpro::plain("[G]Hello"));
}
