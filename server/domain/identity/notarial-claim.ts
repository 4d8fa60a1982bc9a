/**
 * Whether a declared character claims the office of a notary or of another fedatario público, however it is
 * spelled: accents, case, spacing, invisible and confusable letters count for nothing.
 *
 * The plain use of the adjective (`poder notarial`) claims nothing. Bare titles of a notary (`Titular`,
 * `Suplente`) do; `Asociado` does not, because parties to a contract bear it.
 *
 * @see Unicode Technical Standard 39, 4 (confusable detection)
 */
export function claimsNotarialOffice(text: string): boolean {
  return readings(text).some((words) => isBareTitle(words) || hasClaim(withoutInstruments(words)))
}

/**
 * Whether the name of a person claims a notarial office. `Notario` is also a last name: as a last name alone it
 * claims nothing.
 */
export function nameClaimsNotarialOffice(name: string): boolean {
  return readings(name).some((words) => isClaimInName(name, words))
}

function isClaimInName(name: string, words: readonly string[]): boolean {
  if (isBareTitle(words)) return true
  const places = words.flatMap((word, index) => (SURNAMES.has(word) ? index : []))
  const others = words.filter((word) => !SURNAMES.has(word))
  if (hasClaim(others)) return true
  if (places.length === 0) return hasClaim(words)
  return (
    /[,;:()[\]/|–—-]\s*\S*$/u.test(name) ||
    others.some((word) => BESIDE_AN_OFFICE.has(word) || /\d/.test(word)) ||
    /\d/.test(name.replace(/\p{L}\S*/gu, '')) ||
    places.some((place) => words.slice(0, place).every((word) => FORMS_OF_ADDRESS.has(word)))
  )
}

/** The letters `l`, `i` and `1` look alike: folded text and patterns write `i` for each. */
const folded = (pattern: string) => pattern.replaceAll('l', 'i')

const SURNAMES = new Set(['notario', 'notaria'])
const FORMS_OF_ADDRESS = new Set(['iic', 'iicenciado', 'iicenciada', 'dr', 'dra', 'ei', 'ia', 'c'])
const TITLES = new Set(
  ['titular', 'suplente', 'adscrito', 'adscrita', 'interino', 'interina'].map(folded),
)
const BESIDE_AN_OFFICE = new Set([
  ...TITLES,
  ...['asociado', 'asociada', 'publico', 'publica', 'num', 'numero'].map(folded),
])

const CLAIMS = [
  'notari',
  'notary',
  'notair',
  'fedatari',
  'feclatari',
  'fepublic',
  'doyfe',
  'corredorpublic',
  'corredorapublic',
  'escribanopublic',
  'escribanapublic',
  'notpub',
].map(folded)

/** What a notary makes; a party may name it. */
const INSTRUMENTS =
  /^(?:poder(?:es)?|mandatos?|actas?|instrumentos?|escrituras?|testimonios?|protocoios?)$/
const ADJECTIVE = /^notariai(?:es)?$/

function isBareTitle(words: readonly string[]): boolean {
  const said = words.filter((word) => word !== 'ei' && word !== 'ia')
  return said.length === 1 && TITLES.has(said[0] ?? '')
}

/** Looks in each word and across words, from the beginning of a word: not in `Mariano Tarín`. */
function hasClaim(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const rest = words.slice(index).join('')
    return CLAIMS.some((claim) => word.includes(claim) || rest.startsWith(claim))
  })
}

/** Leaves a gap in place of `poder notarial`, so that its neighbours do not join into a new word. */
const withoutInstruments = (words: readonly string[]) =>
  words.map((word, index) =>
    ADJECTIVE.test(word) && INSTRUMENTS.test(words[index - 1] ?? '') ? '-' : word,
  )

/** The words of a text as readers may take them, in plain lower-case Latin letters: by shape and by sound. */
const readings = (text: string) => [wordsIn(text, LOOKS_LIKE), wordsIn(text, SOUNDS_LIKE)]

function wordsIn(text: string, plain: ReadonlyMap<string, string>): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(PICTURED_LETTERS, plainOfPicture)
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '')
    .split(/\s+/u)
    .map((word) => plainWord(word, plain))
    .filter((word) => word !== '')
}

/** Flags' letters, and white letters on black: they have no compatibility form. */
const PICTURED_LETTERS = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu

function plainOfPicture(picture: string): string {
  const code = picture.codePointAt(0) ?? 0
  const first = [0x1f1e6, 0x1f170, 0x1f150].find((start) => code >= start) ?? 0
  return String.fromCharCode(0x61 + code - first)
}

const plainWord = (word: string, plain: ReadonlyMap<string, string>) =>
  Array.from(word, (letter) => plain.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Lower-case letters, digits and marks that look like a letter of the claims, in either case, once
 * compatibility forms and accents are gone.
 */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: '4@аαɑᴀⱥꭺᎪꓮ𐊠аәʌλ∀',
    b: '8ʙвβᏼꓐьҍ',
    c: 'ᴄсϲⅽꮯⲥꓚ¢ç',
    d: 'ᴅԁɖđꭰꓓժ',
    e: '3€ᴇеεҽєɛ℮ꭼꓰ',
    f: 'ꜰƒϝꓝք',
    g: 'ɢɡցԍ',
    i: '1l|!¡ıɪіιӏɩⅰɨꭵꓲłιｌ',
    m: 'ᴍмϻꓟ',
    n: 'ɴпηνнռոꓠŋƞпи',
    o: '0ᴏоοօσөøɵδꓳоⲟ◦°',
    p: 'ᴘрρþꓑⲣ',
    q: 'ԛգ',
    r: 'ʀгяɾɼꭱꓣꮁг',
    s: '5$ꜱѕʂꓢ',
    t: '7+†ᴛтτŧƭꓔꭲ',
    u: 'ᴜυսцʊꓴμ',
    v: 'ᴠѵ',
    y: 'ʏуγүყ',
  }).flatMap(([plain, alike]) => Array.from(alike, (letter) => [letter, plain] as const)),
)

/** The same, where a Greek or Cyrillic letter sounds like another letter than it looks like. */
const SOUNDS_LIKE: ReadonlyMap<string, string> = new Map([
  ...LOOKS_LIKE,
  ...Object.entries({ ρ: 'r', р: 'r', и: 'i', п: 'p', π: 'p', с: 's', у: 'u' }),
])
