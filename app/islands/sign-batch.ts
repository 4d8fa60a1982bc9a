/* Signs many documents with a key that is opened once. The page has no form until `mount` has completed. */
import { type BatchDocument, type RowState, signBatch } from './batch-flow.ts'
import { efirmaForm, factsOf, formIn, part } from './efirma-form.ts'
import { onShown } from './on-shown.ts'
import { openEfirma } from './signing-flow.ts'
import { signingServerAt } from './signing-server.ts'

const UNEXPECTED =
  'No se pudo seguir firmando en este equipo. Recargue la página: lo que falta sigue en la lista.'
const NONE_CHOSEN = 'Marque al menos un documento.'
const STOPPED = 'Se detuvo. Lo que no se firmó sigue marcado; puede continuar.'

const WORDS: Record<RowState, string> = {
  signing: 'Firmando',
  later: 'Otra persona lo está firmando; se intenta al final',
  waiting: 'Otra persona está firmando este documento; se espera su turno',
  signed: 'Firmado',
  refused: 'No se firmó',
  left: 'En espera',
  unsure: 'No se sabe si se firmó',
}

/** The signer no longer has a session or a valid link. */
const SIGNED_OUT = ['not-signed-in', 'signing-link-over']

/** Time to read the message before the redirect. */
const TIME_TO_READ_MS = 4000

/** Inserts the form into `element` and signs the documents selected in the list. */
function mount(element: HTMLElement): void {
  const { csrf = '', entrance = '' } = element.dataset
  const form = formIn(element)
  const fields = efirmaForm(form, factsOf(element))
  const problem = part(form, 'problem')
  const progress = part(form, 'progress')
  const bar = part<HTMLProgressElement>(form, 'bar')
  const stopping = part<HTMLButtonElement>(form, 'stop')
  const rows = [...document.querySelectorAll<HTMLElement>('[data-batch-document]')]
  const boxes = rows.map((row) => part<HTMLInputElement>(row, 'chosen'))
  const all = part<HTMLInputElement>(form, 'all')
  const documents = new Map(rows.map((row) => [row, documentIn(row, csrf)]))
  let stop: AbortController | undefined

  stopping.addEventListener('click', () => {
    stop?.abort()
    stopping.disabled = true
    announce('Se detiene en cuanto terminen los documentos empezados.')
  })
  addEventListener('pagehide', () => {
    stop?.abort()
    fields.forget()
  })
  all.addEventListener('change', () => {
    for (const box of boxes) if (!box.disabled) box.checked = all.checked
  })
  for (const box of boxes) box.addEventListener('change', showWhetherAll)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (stop || fields.isIncomplete()) return
    const chosen = rows.filter((_, index) => boxes[index]?.checked)
    if (chosen.length === 0) return refuse(NONE_CHOSEN)
    stop = new AbortController()
    work(true)
    try {
      await sign(chosen, stop.signal)
    } catch {
      refuse(UNEXPECTED)
    } finally {
      stop = undefined
      work(false)
    }
  })

  async function sign(chosen: readonly HTMLElement[], signal: AbortSignal) {
    announce('Abriendo la clave en su equipo')
    const efirma = await openEfirma(await fields.read())
    if ('kind' in efirma) {
      progress.hidden = true
      if (efirma.field) fields.refuse(efirma.field, efirma.sentence)
      return
    }
    const begun = performance.now()
    const elapsed = () => duration(performance.now() - begun)
    bar.max = chosen.length
    let [done, signed] = [0, 0]
    let current = ''
    const tick = () => {
      bar.value = done
      announce(
        `${Math.min(done + 1, chosen.length)} de ${chosen.length}`,
        `${current} · ${elapsed()}`,
      )
    }
    for (const row of chosen) show(row, 'left')
    const timer = setInterval(() => signal.aborted || tick(), 1000)
    try {
      const outcome = await signBatch(efirma, {
        documents: chosen.flatMap((row) => documents.get(row) ?? []),
        stop: signal,
        onRow(index, state, sentence) {
          const row = chosen[index]
          if (!row) return
          show(row, state, sentence)
          if (state === 'signed') signed += 1
          if (state === 'signed' || state === 'refused') done += 1
          else if (state === 'signing') current = row.dataset.title ?? ''
          if (!signal.aborted) tick()
        },
      })
      bar.value = done
      if (signed > 0) showWhatFollows()
      announce(
        `${signed === 1 ? 'Se firmó 1' : `Se firmaron ${signed}`} de ${chosen.length}`,
        `· ${elapsed()}`,
      )
      if (outcome.kind === 'stopped') return refuse(STOPPED)
      if (outcome.kind === 'broken') return end(outcome.why)
      fields.forget()
    } finally {
      clearInterval(timer)
    }
  }

  function showWhatFollows() {
    const after = document.querySelector<HTMLElement>('[data-part="after"]')
    if (after) after.hidden = false
  }

  function end({
    sentence,
    field,
    code,
  }: {
    sentence: string
    field?: 'certificate'
    code?: string
  }) {
    if (field) return fields.refuse(field, sentence)
    refuse(sentence)
    if (!SIGNED_OUT.includes(code ?? '')) return
    // Clear the form before another person signs in.
    fields.forget()
    setTimeout(() => location.assign(entrance), TIME_TO_READ_MS)
  }

  function refuse(sentence: string) {
    problem.textContent = sentence
    problem.hidden = false
  }

  function work(isWorking: boolean) {
    // After the last one nothing is left to sign.
    fields.allow(!isWorking && rows.some(({ dataset }) => dataset.state !== 'signed'))
    stopping.hidden = !isWorking
    stopping.disabled = false
    if (isWorking) problem.hidden = true
    for (const [index, box] of boxes.entries())
      box.disabled = isWorking || rows[index]?.dataset.state === 'signed'
    showWhetherAll()
  }

  /** "All" says what the list says, also when one row was changed and when the form was emptied. */
  function showWhetherAll() {
    const left = boxes.filter((_, index) => rows[index]?.dataset.state !== 'signed')
    const count = left.filter(({ checked }) => checked).length
    all.checked = count > 0 && count === left.length
    all.indeterminate = count > 0 && count < left.length
    all.disabled = stop !== undefined || left.length === 0
  }

  /** Screen readers announce `sentence`; `detail` is visual only because it changes every second. */
  function announce(sentence: string, detail = '') {
    progress.hidden = false
    const spoken = part(progress, 'spoken')
    if (spoken.textContent !== sentence) spoken.textContent = sentence
    part(progress, 'detail').textContent = detail
  }

  element.append(form)
  part(element, 'waiting').hidden = true
  form.hidden = false
  fields.allow(true)
  showWhetherAll()
}

function documentIn({ dataset }: HTMLElement, csrf: string): BatchDocument {
  const { sha256 = '', address = '', version = '' } = dataset
  return {
    documentSha256: sha256,
    server: signingServerAt(address, { csrf, version, batch: true }),
  }
}

function show(row: HTMLElement, state: RowState, sentence?: string) {
  row.dataset.state = state
  part(row, 'state').textContent = sentence ? `${WORDS[state]}: ${sentence}` : WORDS[state]
  if (state === 'signed') part<HTMLInputElement>(row, 'chosen').checked = false
}

/** `1:05` */
function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

onShown('[data-island="sign-batch"]', mount)
