import { describe, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { hasDynamicForm, unseenContentOf } from '#server/domain/pdf/unseen-content.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithObjectStream,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const read = (catalog: string, more: Bodies = {}) =>
  readDocument(memorySource(pdfWithTable({ ...bodiesWithPages(1, catalog), ...more })))

const XFA = '/AcroForm<</Fields[]/XFA[(config) 50 0 R (template) 51 0 R]>>'
const packets = (config: string): Bodies => ({
  50: streamBody(config),
  51: streamBody('<template/>'),
})

describe('unseen content', () => {
  test.each<[string, string, Bodies, string[]]>([
    ['no more than pages', '', {}, []],
    ['a destination to open at', '/OpenAction[10 0 R/Fit]', {}, []],
    ['a jump when opened', '/OpenAction<</S/GoTo/D[10 0 R/Fit]>>', {}, []],
    ['no layers', '/OCProperties<</OCGs[]/D<<>>>>', {}, []],
    ['no actions', '/AA<<>>', {}, []],
    [
      'a jump and what follows it',
      '/OpenAction<</S/GoTo/D[10 0 R/Fit]/Next<</S/Named/N/Print>>>>',
      {},
      ['automatic-action'],
    ],
    [
      'an action when opened',
      '/OpenAction 50 0 R',
      { 50: '<</S/URI/URI(http://x)>>' },
      ['automatic-action'],
    ],
    ['an action when closed', '/AA<</WC<</S/Named/N/Print>>>>', {}, ['automatic-action']],
    [
      'a script when opened',
      '/OpenAction<</S/JavaScript/JS(app.alert(1))>>',
      {},
      ['javascript', 'automatic-action'],
    ],
    [
      'a script with a name',
      '/Names<</JavaScript<</Names[(a) 50 0 R]>>>>',
      { 50: '<</S/JavaScript/JS 51 0 R>>', 51: streamBody('x') },
      ['javascript'],
    ],
    [
      'a script behind a link',
      '',
      { 50: '<</Subtype/Link/A<</S/JavaScript/JS(x)>>>>' },
      ['javascript'],
    ],
    ['a script in a rendition', '', { 50: '<</S/Rendition/JS(x)>>' }, ['javascript']],
    [
      'a script of a field',
      '',
      { 50: '<</FT/Tx/AA<</K<</S/JavaScript/JS(x)>>>>>>' },
      ['javascript', 'automatic-action'],
    ],
    ['a file with a name', '/Names<</EmbeddedFiles<</Names[]>>>>', {}, ['attachments']],
    [
      'a file on a page',
      '',
      { 50: '<</Subtype/FileAttachment/FS<</F(a)/EF<</F 51 0 R>>>>>>', 51: streamBody('x') },
      ['attachments'],
    ],
    ['a portfolio', '/Collection<<>>', {}, ['attachments']],
    [
      'layers',
      '/OCProperties<</OCGs[50 0 R]/D<<>>>>',
      { 50: '<</Type/OCG/Name(Capa)>>' },
      ['layers'],
    ],
    ['a form of XFA', XFA, packets('<config/>'), ['xfa']],
  ])('finds %s', (_, catalog, more, found) => {
    expect(unseenContentOf(read(catalog, more))).toEqual(found)
  })

  test('finds what stands in an object stream', () => {
    const bodies = { ...bodiesWithPages(1), 50: '<</S/JavaScript/JS(x)>>' }
    const document = readDocument(memorySource(pdfWithObjectStream(bodies)))
    expect(unseenContentOf(document)).toEqual(['javascript'])
  })
})

describe('a dynamic form', () => {
  test.each<[string, string, Bodies, boolean]>([
    ['that needs rendering', `${XFA}/NeedsRendering true`, packets('<config/>'), true],
    [
      'whose configuration requires it',
      XFA,
      packets('<dynamicRender>required</dynamicRender>'),
      true,
    ],
    ['with pages of its own', XFA, packets('<dynamicRender>forbidden</dynamicRender>'), false],
    ['that is none', '/NeedsRendering true', {}, false],
    [
      'in one packet',
      '/AcroForm<</Fields[]/XFA 50 0 R>>',
      packets('<xdp><dynamicRender> required </dynamicRender></xdp>'),
      true,
    ],
  ])('%s: %s', (_, catalog, more, isDynamic) => {
    expect(hasDynamicForm(read(catalog, more))).toBe(isDynamic)
  })
})
