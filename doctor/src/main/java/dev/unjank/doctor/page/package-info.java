/**
 * The diagnosis as a page for a browser.
 *
 * <p>{@link dev.unjank.doctor.page.HtmlReport} puts together a shell, a style sheet, a script and the data. {@code PageData}
 * writes the data: a column per fact of the incidents, with texts and threads in pools. {@code TimelineModel} gathers what each
 * drawing shows, within bounds. The scripts lie beside the classes as resources, one per part of the page:
 *
 * <pre>
 * text.js      elements and words: all that makes text of data
 * data.js      reads the JSON block, sorts and filters
 * ruler.js     time to columns and back: zoom, pan, the axis
 * timeline.js  draws an incident, and takes wheel, pointer and keys
 * details.js   all that is said of one incident
 * list.js      the list: as many rows as fit, whatever the number of incidents
 * sections.js  frames, start-ups, summary, warnings
 * main.js      puts them together
 * </pre>
 */
@NullMarked
package dev.unjank.doctor.page;

import org.jspecify.annotations.NullMarked;
