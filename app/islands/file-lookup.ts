import { onShown } from './on-shown.ts'
import { sha256 } from './sha256.ts'

type Answer = { sentence: string; address?: string }

const READING = 'Se calcula la huella del archivo en su equipo. No se envía nada.'
const NO_ANSWER =
  'No se pudo preguntar si el archivo está registrado. Para revisar sus firmas, envíelo.'
const UNREADABLE = 'Su navegador no pudo leer el archivo. Elíjalo de nuevo.'

/**
 * Computes the hash of a chosen or dropped file in the browser and looks it up on the server. The file
 * itself is only sent with its form.
 */
function mount(element: HTMLElement): void {
  const form = element.closest('form')
  const field = form?.querySelector<HTMLInputElement>('input[type=file]')
  if (!field) return
  const part = <T extends HTMLElement>(name: string) =>
    element.querySelector<T>(`[data-part=${name}]`) as T
  const progress = part<HTMLProgressElement>('progress')
  const link = part<HTMLAnchorElement>('link')
  let turn = 0

  field.addEventListener('change', take)
  acceptDrops(field)
  // After back navigation the field may still hold a file.
  take()

  async function take() {
    const file = field?.files?.[0]
    const mine = ++turn
    const isOver = () => mine !== turn
    element.hidden = !file
    if (!file) return
    announce({ sentence: READING })
    part('hash').hidden = true
    progress.hidden = false
    const digest = await digestOf(file, isOver).catch(() => undefined)
    if (isOver()) return
    progress.hidden = true
    if (digest === undefined) return announce({ sentence: UNREADABLE })
    part('value').textContent = digest
    part('hash').hidden = false
    const answer = await ask(digest)
    if (!isOver()) announce(answer)
  }

  async function digestOf(file: File, isOver: () => boolean): Promise<string | undefined> {
    const hash = sha256()
    const reader = file.stream().getReader()
    let read = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return hash.end()
      if (isOver()) return void reader.cancel()
      hash.add(value)
      read += value.length
      progress.value = read / file.size
    }
  }

  async function ask(digest: string): Promise<Answer> {
    const { address = '', csrf = '' } = element.dataset
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'X-CSRFToken': csrf },
        body: new URLSearchParams({ sha256: digest }),
        cache: 'no-store',
      })
      return await response.json()
    } catch {
      return { sentence: NO_ANSWER }
    }
  }

  function announce({ sentence, address }: Answer) {
    part('sentence').textContent = sentence
    link.hidden = address === undefined
    if (address !== undefined) link.href = address
  }
}

/** On the whole page: the browser would open a file dropped beside the field. */
function acceptDrops(field: HTMLInputElement): void {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    const files = event.dataTransfer?.files
    // A page that answered the form has a field of its own.
    if (!files?.length || !field.isConnected) return
    event.preventDefault()
    field.files = files
    field.dispatchEvent(new Event('change'))
  })
}

onShown('[data-island="file-lookup"]', mount)
