export const NUMBERS_PATH = '/dashboard/documents/numbers'
