import { describe, expect, test } from 'vitest'
import { reachOutOf } from '#server/domain/verification/looks/reach-out.ts'
import { type Bodies, bodiesWithPages, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { documentOf, streamIn } from './drawn.ts'

const FORM = '/Subtype/Form/BBox[0 0 9 9]'
const PAGE =
  '<</Type/Page/Parent 2 0 R/Resources<</XObject<</Fm 5 0 R>>/Pattern<</P1 5 0 R>>/Font<</F1 3 0 R/F2 3 0 R>>>>>>'

function reachOf(content: string, resources = '', others: Bodies = {}) {
  const document = documentOf({
    ...bodiesWithPages(1, '/AcroForm<</Fields[]/DR<</Font<</F1 3 0 R>>>>>>'),
    5: 'null',
    10: PAGE,
    20: streamBody(content, `${FORM}/Resources<<${resources}>>`),
    21: streamBody('q Q', FORM),
    22: streamBody('Q', FORM),
    ...others,
  })
  return reachOutOf(document, streamIn(document, 20))
}

describe('a look', () => {
  test.each<[string, 'none' | 'sure']>([
    ['q q Q Q', 'none'],
    ['q', 'none'],
    ['Q', 'sure'],
    ['q Q Q', 'sure'],
    ['q q Q Q Q', 'sure'],
  ])('is drawn elsewhere by a state that it did not save: %s', (content, reach) => {
    expect(reachOf(content)).toBe(reach)
  })

  test.each([
    ['a form', '/X Do', '/XObject<</X 22 0 R>>'],
    ['a pattern', '/X scn', '/Pattern<</X 22 0 R>>'],
    ['a pattern for lines', '1 /X SCN', '/Pattern<</X 22 0 R>>'],
    ['a mask', '/X gs', '/ExtGState<</X<</SMask<</G 22 0 R>>>>>>'],
  ])('is drawn elsewhere by %s in it', (_, content, resources) => {
    expect(reachOf(content, resources)).toBe('sure')
    expect(reachOf(content, resources.replace('22', '21'))).toBe('none')
  })

  test('may be drawn elsewhere by names that it takes from the page', () => {
    expect(reachOf('/Fm Do')).toBe('doubtful')
    expect(reachOf('/Fm Do', '/XObject<</Fm 21 0 R>>')).toBe('none')
    expect(reachOf('/Own Do')).toBe('none')
    expect(reachOf('/P1 scn')).toBe('doubtful')
    expect(reachOf('/F1 9 Tf')).toBe('none')
    expect(reachOf('/F2 9 Tf')).toBe('doubtful')
  })

  test('may be drawn elsewhere by one of two names', () => {
    const own = '/Pattern<</Own 21 0 R/Other 22 0 R>>'
    expect(reachOf('/Own scn', own)).toBe('none')
    expect(reachOf('/Own /P1 scn', own)).toBe('doubtful')
    expect(reachOf('/Own /Other scn', own)).toBe('sure')
  })

  test.each(['Do', 'Tf', 'scn', 'gs', '9 Do', '/Own draw'])(
    'may be drawn elsewhere by an instruction that readers take in several ways: %s',
    (content) => {
      expect(reachOf(content)).toBe('doubtful')
    },
  )

  test('draws nothing by the number behind a font', () => {
    expect(reachOf('/F1 9 Tf', '/Font<</F1 3 0 R/9 22 0 R>>')).toBe('none')
  })
})

describe('a look with an inline image', () => {
  const image = (data: string, head = '') => `BI /W 1/H 1/BPC 8/CS/G${head} ID ${data} EI`

  test('is drawn in its place where its data has one end', () => {
    expect(reachOf(`q ${image('x')} Q`)).toBe('none')
    expect(reachOf(`q ${image('x')} ${image('y')} Q`)).toBe('none')
    // What is before an image does not end it.
    expect(reachOf(`q BT /F1 9 Tf (EI ) Tj ET ${image('x')} Q`)).toBe('none')
  })

  test.each([
    ['an end of its data restores too many states', `q ${image('x EI Q')} Q`],
    ['its data has no end', 'q BI /W 1/H 1 ID x'],
    ['its data ends as its filter says', `q ${image('x', '/F/A85')} Q`],
    ['data of one behind it ends as its filter says', `q ${image('x')} ${image('x', '/F/A85')} Q`],
    ['its filter is written in another way', `q ${image('x', '/F/A#385')} Q`],
    ['it has no data', 'q BI /W 1 Q EI Q'],
  ])('may be drawn elsewhere where %s', (_, content) => {
    expect(reachOf(content)).toBe('doubtful')
  })
})
