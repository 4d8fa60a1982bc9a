import css from './icon.module.css'

/* Strokes in a 24 × 24 box; our own drawings. */
const PATHS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6.5 6.5l11 11m0-11l-11 11',
  warning: 'M12 4.5L21 19.5H3ZM12 10.5v4m0 2.6v.1',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 11v5.5m0-9v.1',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 7.5V12l3 2',
  pencil: 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5ZM13.5 7l3.5 3.5',
  ban: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M6 6l12 12',
  dashboard: 'M4 4.5h7v6H4ZM13 4.5h7v10h-7ZM4 12.5h7v7H4ZM13 16.5h7v3h-7Z',
  document: 'M6 3.5h8l4.5 4.5v12.5H6ZM13.5 4v4.5H18M9 12.5h6M9 16h6',
  sign: 'M3.5 20.5h17M5 16.5c3-1 6.5-7 6.5-10.5c0-2.5-3-2.5-3 0c0 4 3 9 5 9c1.5 0 1.5-3 3-3c1 0 1 1.5 3.5 1.5',
  certificate: 'M12 3.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8.5 13.5L7 21l5-2.5L17 21l-1.5-7.5',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7a3.5 3.5 0 1 0 0 7M2.5 19.5c0-3 3-5 6.5-5s6.5 2 6.5 5M16 5a3 3 0 0 1 0 6M18 14.8c2 .7 3.5 2.3 3.5 4.7',
  audit: 'M5 4.5h14v15H5ZM8.5 9h7M8.5 12.5h7M8.5 16h4',
  report: 'M4 20h16M7 16.5v-5M12 16.5v-11M17 16.5v-8',
  settings:
    'M4 7h9M17.5 7H20M4 17h2.5M11 17h9M15.2 4.7a2.3 2.3 0 1 0 0 4.6a2.3 2.3 0 1 0 0-4.6M8.8 14.7a2.3 2.3 0 1 0 0 4.6a2.3 2.3 0 1 0 0-4.6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L20.5 20.5',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15',
  upload: 'M12 15.5V4.5M7.5 9L12 4.5L16.5 9M4.5 19.5h15',
  left: 'M14.5 6L8.5 12l6 6',
  right: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  leave: 'M10 4.5H5v15h5M15 8l4 4-4 4M9.5 12H19',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M18.4 5.6l-1.3 1.3M6.9 17.1l-1.3 1.3',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z',
  screen: 'M3.5 5h17v11.5h-17ZM8.5 20h7M12 16.5V20',
  shield: 'M12 3.5l7.5 3v5c0 4.5-3 7.5-7.5 9.5c-4.5-2-7.5-5-7.5-9.5v-5ZM8.5 12l2.5 2.5l4.5-5',
  device: 'M3.5 5.5h17v10.5h-17ZM2 19h20',
  key: 'M8 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M12.5 12H21v3.5M17 12v3',
  phone: 'M7 3.5h10v17H7ZM10.5 17.8h3',
  bell: 'M6 16.5c1.2-1.2 1.5-3 1.5-6a4.5 4.5 0 0 1 9 0c0 3 .3 4.8 1.5 6ZM10 19.5c.8 1.2 3.2 1.2 4 0',
  copy: 'M8.5 8.5h11v11h-11ZM15.5 8.5v-4h-11v11h4',
  share: 'M12 15V4.5M8 8l4-4 4 4M7.5 11.5h-2v8h13v-8h-2',
  office: 'M4 20h16M6 20V9.5M18 20V9.5M3.5 9.5L12 4l8.5 5.5ZM10 20v-6h4v6',
  print: 'M7 9V4h10v5M7 16.5H4V9h16v7.5h-3M7 14h10v6H7Z',
} as const

export type IconName = keyof typeof PATHS

/**
 * An icon beside a text, never instead of one: hidden from screen readers.
 *
 * @param size width and height in CSS pixels
 */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className={css.icon} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
