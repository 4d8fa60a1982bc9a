import { expect, test } from 'vitest'
import { matchingStyles, traitsOf } from '#server/web/matching-styles.ts'
import { traitsIn } from '#server/web/page-traits.ts'
import { parseStyleSheet } from '#server/web/style-sheet.ts'

function stylesFor(html: string, css: string): string {
  const sheet = parseStyleSheet(css)
  return matchingStyles(sheet, traitsIn(html, traitsOf(sheet)))
}

const PAGE =
  '<html data-mantine-color-scheme="auto"><body class="page"><p class="a b" data-size="md" style="color:var(--ink)">class=&quot;d&quot;</p></body></html>'

test.each([
  // Classes
  ['.a{x:1}', '.a{x:1}'],
  ['.a.b>.page{x:1}', '.a.b>.page{x:1}'],
  ['.c{x:1}', ''],
  ['.a .c{x:1}', ''],
  ['.d{x:1}', ''],
  ['.a,.c,.b{x:1}', '.a,.b{x:1}'],
  // Tags, states and attributes that a browser changes by itself
  ['ul li:first-child{x:1}', 'ul li:first-child{x:1}'],
  ['.a:hover,.c:hover{x:1}', '.a:hover{x:1}'],
  ['details[open] .a{x:1}', 'details[open] .a{x:1}'],
  ['.a::before{x:1}', '.a::before{x:1}'],
  ['a[href$=".c"]{x:1}', 'a[href$=".c"]{x:1}'],
  // Data attributes
  ['.a[data-size]{x:1}', '.a[data-size]{x:1}'],
  ['.a[data-size=md],.a[data-size="md"]{x:1}', '.a[data-size=md],.a[data-size="md"]{x:1}'],
  ['.a[data-size=lg]{x:1}', ''],
  ['.a[data-size^=l]{x:1}', '.a[data-size^=l]{x:1}'],
  ['.a[data-size=MD i]{x:1}', '.a[data-size=MD i]{x:1}'],
  ['.a[data-block]{x:1}', ''],
  [':where([data-mantine-color-scheme=dark]) .a{x:1}', ''],
  [
    ':where([data-mantine-color-scheme=auto]) .a{x:1}',
    ':where([data-mantine-color-scheme=auto]) .a{x:1}',
  ],
  // Functions in selectors
  ['.a:not(.c){x:1}', '.a:not(.c){x:1}'],
  ['.a:not([data-block]){x:1}', '.a:not([data-block]){x:1}'],
  [':is(.a,.c){x:1}', ':is(.a,.c){x:1}'],
  [':is(.c) p{x:1}', ''],
  ['.a:has(.c){x:1}', '.a:has(.c){x:1}'],
  [':root,:host{x:1}', ':root{x:1}'],
  [':host([data-size=md]){x:1}', ''],
  // Blocks
  ['@media print{.c{x:1}}', ''],
  ['@media print{.a{x:1}.c{x:1}}', '@media print{.a{x:1}}'],
  ['@supports (x:1){@media print{.a{x:1}}}', '@supports (x:1){@media print{.a{x:1}}}'],
  ['@layer a,b;.c{x:1}', '@layer a,b;'],
  ['@font-face{src:url(x)}', '@font-face{src:url(x)}'],
  ['.c{x:1;&:hover{x:2}}', '.c{x:1;&:hover{x:2}}'],
  // Variables
  [':root{--ink:red;--line:blue}', ':root{--ink:red}'],
  [':root{--ink:var(--dark);--dark:red;--line:1}', ':root{--ink:var(--dark);--dark:red}'],
  [':root{--x:1}.a{y:calc(var(--z, var(--x)))}', ':root{--x:1}.a{y:calc(var(--z, var(--x)))}'],
  [':root{--x:1}.c{y:var(--x)}', ''],
  [':root{--x:1}.c{--ink:var(--x)}', ''],
  [':root{--x:var(--y);--y:var(--x)}', ''],
  [':root{--x:1}@font-face{src:var(--x)}', ':root{--x:1}@font-face{src:var(--x)}'],
  // Keyframes
  ['@keyframes turn{to{x:1}}.c{animation:turn 1s}', ''],
  [
    '@keyframes turn{to{x:1}}.a{animation:1s turn}',
    '@keyframes turn{to{x:1}}.a{animation:1s turn}',
  ],
  [
    ':root{--x:1}@keyframes turn{to{y:var(--x)}}.a{animation-name:turn}',
    ':root{--x:1}@keyframes turn{to{y:var(--x)}}.a{animation-name:turn}',
  ],
  // Values stay as they are
  ['.a{x:1!important;content:";}"}', '.a{x:1!important;content:";}"}'],
  ['/* note */.a{/* note */x:1}', '.a{x:1}'],
])('of %s the page needs %s', (css, needed) => {
  expect(stylesFor(PAGE, css)).toBe(needed)
})

test('matching styles: a page with a script keeps every attribute rule, but not every class rule', () => {
  const css = '.a[data-state=done]{x:1}.c[data-state=done]{x:1}'
  expect(stylesFor(`${PAGE}<script type="module"></script>`, css)).toBe('.a[data-state=done]{x:1}')
})

test('traits are only those that the style sheet asks for', () => {
  const known = traitsOf(parseStyleSheet('.a[data-size=md]{x:1}:root{--ink:1}'))
  expect(known).toEqual(new Set(['.a', '[data-size=md]', '--ink']))
  expect(traitsIn(PAGE, known)).toEqual(known)
})
