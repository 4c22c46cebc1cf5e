/** The service counts bytes of UTF-8. */
const utf8 = new TextEncoder()

/** Empty where the text fits. */
export const tooLongText = (text: string, most: number): string => {
  const bytes = utf8.encode(text).length
  return bytes > most ? `At most ${most} bytes of UTF-8; it has ${bytes}.` : ""
}
