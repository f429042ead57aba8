"""report.py FILE [code N]: `sov export --format html` as a stranger reads it. Well-formed XML of few
elements and attributes; the rules for content before all else; each id once, each link to one of them,
nothing fetched, no script, no character that hides. Two readers, which share nothing, see the same.
Prints what there is, or the text of the Nth block of commands."""
import html.parser
import sys
import unicodedata
import xml.etree.ElementTree as etree

ELEMENTS = set('html head meta title style body main section h1 h2 h3 h4 h5 h6 p ul li table thead tbody'
               ' tr th td pre code a span strong'.split())
ATTRIBUTES = {
    'html': {'lang'}, 'meta': {'http-equiv', 'content', 'charset'}, 'section': {'id'}, 'span': {'id'},
    'a': {'href'}, 'th': {'scope'}, 'pre': {'class'},
}
RULES = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
WITHIN = {  # what may hold what, where it matters
    'tr': {'thead', 'tbody'}, 'td': {'tr'}, 'th': {'tr'}, 'thead': {'table'}, 'tbody': {'table'},
    'li': {'ul'}, 'section': {'main'}, 'main': {'body'}, 'meta': {'head'}, 'style': {'head'},
    'title': {'head'}, 'table': {'section'}, 'pre': {'section'}, 'p': {'section'}, 'ul': {'section', 'li'},
}


def no(why):
    sys.exit(f'NO: {why}')


class Reader(html.parser.HTMLParser):
    """As a browser takes it apart: nothing is opened or closed that the XML reader did not see."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.events, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.events.append((tag, tuple(attrs)))

    def handle_startendtag(self, tag, attrs):
        if tag != "meta":  # of any other element a browser takes no notice of the stroke
            raise ValueError(f"<{tag}/> stays open")
        self.events.append((tag, tuple(attrs)))

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        no(f'a comment: {data!r}')

    def handle_pi(self, data):
        no(f'an instruction: {data!r}')

    def unknown_decl(self, data):
        no(f'a declaration: {data!r}')


octets = open(sys.argv[1], 'rb').read()
page = octets.decode('utf-8')
if not page.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta http-equiv="Content-Security-Policy"'):
    no('the rules for content are not the first thing in the head')
for char in set(page):
    if char != '\n' and char != '\t' and unicodedata.category(char) in ('Cc', 'Cf', 'Co', 'Cs', 'Cn', 'Zl', 'Zp'):
        no(f'U+{ord(char):04X} stands there as it is')
root = etree.fromstring(octets)
parents = {child: parent for parent in root.iter() for child in parent}
ids, links, counts = [], [], {}
for element in root.iter():
    counts[element.tag] = counts.get(element.tag, 0) + 1
    if element.tag not in ELEMENTS:
        no(f'an element {element.tag}')
    strange = set(element.attrib) - ATTRIBUTES.get(element.tag, set())
    if strange:
        no(f'{element.tag} has {strange}')
    if element.tag in WITHIN and parents[element].tag not in WITHIN[element.tag]:
        no(f'{element.tag} in {parents[element].tag}')
    if 'id' in element.attrib:
        ids.append(element.attrib['id'])
    if 'href' in element.attrib:
        links.append(element.attrib['href'])
    if element.tag == 'table':
        widths = {len(row) for row in element.iter('tr')}
        if len(widths) != 1:
            no(f'rows of {widths} cells')
if root.find('head/meta').attrib != {'http-equiv': 'Content-Security-Policy', 'content': RULES}:
    no('other rules for content')
if len(set(ids)) != len(ids):
    no(f'an id twice: {sorted(i for i in set(ids) if ids.count(i) > 1)}')
for link in links:
    if not link.startswith('#') or link[1:] not in ids:
        no(f'{link} leads nowhere')
if 'url(' in root.find('head/style').text or '@import' in root.find('head/style').text:
    no('the sheet fetches')
for pre in root.iter('pre'):
    if pre.attrib.get('class') == 'said':
        for line in (pre.text or '').splitlines():
            if not line.startswith('| '):
                no(f'a line of a frame begins with {line[:20]!r}')
reader = Reader()
reader.feed(page)
reader.close()
if reader.events != [(e.tag, tuple(e.attrib.items())) for e in root.iter()]:
    no('the two readers see two documents')
if ''.join(reader.text).strip() != ''.join(root.itertext()).strip():
    no('the two readers read two texts')
codes = [pre.text for pre in root.iter('pre') if 'class' not in pre.attrib]
if len(sys.argv) > 2:
    print(codes[int(sys.argv[3])])
else:
    print(len(root.findall('body/main/section')), 'sections,', len(ids), 'ids,', len(links), 'links,',
          counts.get('table', 0), 'tables,', counts.get('pre', 0), 'frames')
