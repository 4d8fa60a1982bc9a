/* Runs in pages that do not hydrate, in development: React replaces nothing there, so the page loads again. */
import { changeEvent } from './change-event.ts'

import.meta.hot?.on(changeEvent, () => location.reload())
