import { onShown } from './on-shown.ts'

/** Hides a message after the time that its element specifies, if any. */
function mount(element: HTMLElement): void {
  const duration = Number(element.dataset.duration)
  if (duration > 0) setTimeout(() => element.remove(), duration)
}

onShown('[data-island="flash-hides"]', mount)
