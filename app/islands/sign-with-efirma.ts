/*
 * Signing in the page. Everything here may fail to load: until `mount` has run to its end there is no form
 * in the document, so that nothing can be sent.
 */
import {
  type FileNote,
  noteOnCertificate,
  noteOnKey,
  type SigningField,
  type SigningStep,
  signHere,
} from './signing-flow.ts'
import { signingServerAt } from './signing-server.ts'

/** No certificate and no key is larger; a scanned deed that was chosen by mistake is not read whole. */
const FILE_LIMIT = 64 * 1024

const MISSING: Record<SigningField, string> = {
  certificate: 'Elija el archivo .cer de su e.firma.',
  key: 'Elija el archivo .key de su e.firma.',
  password: 'Escriba la contraseña de la clave privada.',
}
const UNEXPECTED =
  'No se pudo firmar en este equipo. No se envió nada; recargue la página e intente de nuevo.'

/** Whoever signs here is not let in any more. */
const SHUT_OUT = ['not-signed-in', 'signing-link-spent']
const MOVED_ON = ['stale-version', 'wrong-state']

/** Long enough to read why the page is left. */
const TIME_TO_READ_MS = 4000

const STEPS: readonly SigningStep[] = ['opening', 'preparing', 'signing', 'storing', 'signed']

/** Puts the form into `element` and makes it sign. */
export function mount(element: HTMLElement): void {
  const { csrf = '', version = '', address = '', rfc = '', zone = '' } = element.dataset
  const { sha256 = '', now = '', done = '', entrance = '' } = element.dataset
  const content = part<HTMLTemplateElement>(element, 'form').content.cloneNode(true)
  const form = (content as DocumentFragment).querySelector('form')
  if (!form) throw new Error('no form to sign with')

  const begun = performance.now()
  const serverNow = () => Number(now) + performance.now() - begun
  const facts = () => ({ rfc, zone, now: serverNow() })
  const server = signingServerAt(address, { csrf, version })
  const certificate = part<HTMLInputElement>(form, 'certificate')
  const key = part<HTMLInputElement>(form, 'key')
  const password = part<HTMLInputElement>(form, 'password')
  const button = part<HTMLButtonElement>(form, 'submit')
  const problem = part(form, 'problem')
  const currentVersion = part(form, 'current-version')
  const steps = part(form, 'steps')
  let isBusy = false

  certificate.addEventListener('change', () =>
    noteOnChosen(form, 'certificate', certificate, (file) => noteOnCertificate(file, facts())),
  )
  key.addEventListener('change', () => noteOnChosen(form, 'key', key, noteOnKey))
  password.addEventListener('input', () => showNote(form, 'password', undefined))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isBusy || isIncomplete()) return
    isBusy = true
    allow(false)
    problem.hidden = true
    currentVersion.hidden = true
    try {
      await sign()
    } catch {
      refuse(UNEXPECTED)
    }
  })

  function allow(isAllowed: boolean) {
    button.disabled = !isAllowed
    // What the style sheet of the button looks at.
    button.toggleAttribute('data-disabled', !isAllowed)
  }

  function isIncomplete(): boolean {
    const missing: SigningField[] = []
    if (!certificate.files?.[0]) missing.push('certificate')
    if (!key.files?.[0]) missing.push('key')
    if (password.value === '') missing.push('password')
    for (const field of missing) showNote(form!, field, { isGood: false, sentence: MISSING[field] })
    if (missing[0]) part(form!, missing[0]).focus()
    return missing.length > 0
  }

  async function sign() {
    const task = {
      certificate: await readFile(certificate),
      key: await readFile(key),
      password: password.value,
      documentSha256: sha256,
      server,
      onStep: (step: SigningStep) => showStep(steps, step),
      ...facts(),
    }
    const outcome = await signHere(task)
    if (outcome.kind === 'refused') {
      currentVersion.hidden = !MOVED_ON.includes(outcome.code ?? '')
      refuse(outcome.sentence, outcome.field)
      if (SHUT_OUT.includes(outcome.code ?? '')) leaveForEntrance()
      return
    }
    form?.reset()
    location.assign(done)
  }

  /** The files and the password stay: only what was wrong has to be done again. */
  function refuse(sentence: string, field?: SigningField) {
    isBusy = false
    allow(true)
    steps.hidden = true
    if (field) {
      showNote(form!, field, { isGood: false, sentence })
      part(form!, field).focus()
    } else {
      problem.textContent = sentence
      problem.hidden = false
    }
  }

  /** What was chosen and typed does not wait here for whoever signs in next. */
  function leaveForEntrance() {
    isBusy = true
    allow(false)
    form?.reset()
    setTimeout(() => location.assign(entrance), TIME_TO_READ_MS)
  }

  element.append(content)
  part(element, 'waiting').hidden = true
  form.hidden = false
  allow(true)
}

async function noteOnChosen(
  form: HTMLElement,
  field: SigningField,
  input: HTMLInputElement,
  diagnose: (file: Uint8Array) => FileNote,
) {
  if (!input.files?.[0]) return showNote(form, field, undefined)
  const file = await readFile(input)
  showNote(form, field, diagnose(file))
  file.fill(0)
}

async function readFile(input: HTMLInputElement): Promise<Uint8Array> {
  const file = input.files?.[0]
  if (!file) return new Uint8Array()
  return new Uint8Array(await file.slice(0, FILE_LIMIT).arrayBuffer())
}

function showNote(form: HTMLElement, field: SigningField, note: FileNote | undefined) {
  const place = part(form, `${field}-note`)
  place.hidden = !note
  place.dataset.tone = note?.isGood ? 'good' : 'bad'
  part(place, 'sentence').textContent = note?.sentence ?? ''
  // Whoever hears the page instead of seeing it hears the sentence with its field.
  place.id = `sign-${field}-note`
  part(form, field).setAttribute('aria-describedby', place.id)
  if (note?.isGood === false) part(form, field).setAttribute('aria-invalid', 'true')
  else part(form, field).removeAttribute('aria-invalid')
}

function showStep(steps: HTMLElement, step: SigningStep) {
  const reached = STEPS.indexOf(step)
  steps.hidden = false
  STEPS.forEach((name, index) => {
    const isDone = index < reached || step === 'signed'
    part(steps, name).dataset.state = isDone ? 'done' : index === reached ? 'running' : 'waiting'
  })
}

function part<E extends HTMLElement = HTMLElement>(within: ParentNode, name: string): E {
  const found = within.querySelector<E>(`[data-part="${name}"]`)
  if (!found) throw new Error(`the page has no ${name}`)
  return found
}

const element = document.querySelector<HTMLElement>('[data-island="sign-with-efirma"]')
if (element) mount(element)
