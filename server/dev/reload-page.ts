/* Runs in pages that do not hydrate. React cannot replace a part of them, so the whole page reloads. */
import { changeEvent } from './change-event.ts'

import.meta.hot?.on(changeEvent, () => location.reload())
