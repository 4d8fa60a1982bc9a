import { startDemoServer } from './demo-server.ts'
import type { Figure } from './figures.ts'
import { ask, loadOf } from './load.ts'
import { findDocuments } from './office-visitor.ts'

const section = 'Páginas del panel, en un núcleo'
const KB = 1024

const LIST = '/dashboard/documents'
/** The same page without a row: the floor of a list. */
const EMPTY = `${LIST}?from=2001-01-01&to=2001-01-01`

/** To these the menu, the top bar and the dashboard lead. */
const PAGES = [
  '/dashboard',
  LIST,
  '/dashboard/signing',
  '/dashboard/certificates',
  '/dashboard/certificates/keys',
  '/dashboard/users',
  '/dashboard/audit',
  '/dashboard/settings',
  '/dashboard/profile',
  '/dashboard/alerts',
  '/dashboard/reports',
]

/** How many lists of documents a second of an office with a year of work, and what the next page of the dashboard takes. */
export async function measureDocumentList(folder: string): Promise<Figure[]> {
  const server = await startDemoServer(folder, { DEMO_OFFICE: 'year' })
  const { origin, processorTime } = server
  try {
    const { cookie } = await findDocuments(server)
    const list = await loadOf(origin + LIST, processorTime, cookie)
    const empty = await loadOf(origin + EMPTY, processorTime, cookie)
    const figures: Figure[] = [
      { section, name: LIST, value: list.requestsPerSecond, unit: '/s', atLeast: 150 },
      // Wall time depends on other load of the machine; processor time does not.
      ...(list.processorTime
        ? [
            {
              ...{ section, name: `${LIST}: a second of processor makes`, unit: '/s' as const },
              ...{ value: 1000 / list.processorTime, atLeast: 150 },
            },
          ]
        : []),
      { section, name: `${LIST}: p95`, value: list.p95, unit: 'ms' },
      { section, name: `${LIST}: without a row`, value: empty.requestsPerSecond, unit: '/s' },
      {
        ...{ section, name: `${LIST}: pages without a row for one with rows`, unit: '×' as const },
        value: empty.requestsPerSecond / list.requestsPerSecond,
      },
    ]
    for (const path of PAGES) {
      const bytes = await ask({ url: `${origin}${path}.data`, cookie })
      figures.push({
        ...{ section, name: `${path}: data of the next page`, unit: 'KB' as const },
        ...{ value: bytes / KB, atMost: 15 },
      })
    }
    return figures
  } finally {
    await server.stop()
  }
}
