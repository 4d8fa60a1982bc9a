/*
 * Signs in the page. The page has no form until `mount` has completed, so a failed load cannot submit
 * anything.
 */
import { efirmaForm, factsOf, formIn, part } from './efirma-form.ts'
import { onShown } from './on-shown.ts'
import type { SigningStep } from './sign-one.ts'
import { type SigningField, signHere } from './signing-flow.ts'
import { signingServerAt } from './signing-server.ts'

const UNEXPECTED =
  'No se pudo firmar en este equipo. No se envió nada; recargue la página e intente de nuevo.'
const STOPPED = 'Dejó de esperar su turno. No se firmó nada; puede intentarlo de nuevo.'

/** The signer no longer has a session or a valid link. */
const SIGNED_OUT = ['not-signed-in', 'signing-link-over']
const SUPERSEDED = ['stale-version', 'document-final', 'wrong-state']

/** Time to read the message before the redirect. */
const TIME_TO_READ_MS = 4000

const STEPS: readonly SigningStep[] = ['opening', 'preparing', 'signing', 'storing', 'signed']

/** Inserts the form into `element` and signs with it. */
function mount(element: HTMLElement): void {
  const { csrf = '', version = '', address = '', sha256 = '' } = element.dataset
  const { done = '', entrance = '' } = element.dataset
  const form = formIn(element)
  const fields = efirmaForm(form, factsOf(element))
  const server = signingServerAt(address, { csrf, version })
  const problem = part(form, 'problem')
  const currentVersion = part(form, 'current-version')
  const unread = part(form, 'unread')
  const steps = part(form, 'steps')
  const turn = part(form, 'turn')
  let stop: AbortController | undefined

  part(form, 'stop').addEventListener('click', () => stop?.abort())
  addEventListener('pagehide', () => {
    stop?.abort()
    fields.forget()
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (stop || fields.isIncomplete()) return
    stop = new AbortController()
    fields.allow(false)
    problem.hidden = true
    currentVersion.hidden = true
    unread.hidden = true
    try {
      await sign(stop.signal)
    } catch {
      refuse(UNEXPECTED)
    }
  })

  async function sign(signal: AbortSignal) {
    const task = {
      ...(await fields.read()),
      documentSha256: sha256,
      server,
      stop: signal,
      onStep: show,
    }
    const outcome = await signHere(task)
    if (outcome.kind === 'stopped') return refuse(STOPPED)
    if (outcome.kind === 'refused') {
      currentVersion.hidden = !SUPERSEDED.includes(outcome.code ?? '')
      if (outcome.page) leadTo(unread, outcome.page)
      refuse(outcome.sentence, outcome.field)
      if (SIGNED_OUT.includes(outcome.code ?? '')) redirectToEntrance()
      return
    }
    form.reset()
    location.assign(done)
  }

  function show(step: SigningStep) {
    // Keep the waiting note between two attempts.
    if (step !== 'preparing' || turn.hidden) turn.hidden = step !== 'waiting'
    if (step !== 'waiting') showStep(steps, step)
  }

  /** Keeps the files and the password: the user corrects only what was wrong. */
  function refuse(sentence: string, field?: SigningField) {
    stop = undefined
    fields.allow(true)
    steps.hidden = true
    turn.hidden = true
    if (field) fields.refuse(field, sentence)
    else {
      problem.textContent = sentence
      problem.hidden = false
    }
  }

  /** Clears the form before another person signs in. */
  function redirectToEntrance() {
    stop = new AbortController()
    fields.allow(false)
    form.reset()
    setTimeout(() => location.assign(entrance), TIME_TO_READ_MS)
  }

  element.append(form)
  part(element, 'waiting').hidden = true
  form.hidden = false
  fields.allow(true)
}

/** Shows the link to a page of the reader, which keeps its other parameters. */
function leadTo(place: HTMLElement, page: string) {
  const address = new URL(location.href)
  address.searchParams.set('pagina', page)
  address.hash = 'lector'
  const link = place.querySelector('a')
  link?.setAttribute('href', String(address))
  part(place, 'page').textContent = page
  place.hidden = false
}

function showStep(steps: HTMLElement, step: SigningStep) {
  const reached = STEPS.indexOf(step)
  steps.hidden = false
  STEPS.forEach((name, index) => {
    const isDone = index < reached || step === 'signed'
    part(steps, name).dataset.state = isDone ? 'done' : index === reached ? 'running' : 'waiting'
  })
}

onShown('[data-island="sign-with-efirma"]', mount)
