/** What Kubernetes puts into the environment for a Service whose name begins as the settings do, such as `service-1`. */
const LINK = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PORT|PROTO|ADDR))?$/
const LINK_URL = /^(tcp|udp|sctp):\/\//

/** That of `service-ops` is named as a setting, which nobody has given by it: none takes such an address. */
const isLinkUrl = (name: string, text: string): boolean => name.endsWith("_PORT") && LINK_URL.test(text)

type Variables = Readonly<Record<string, string | undefined>>

export const withoutServiceLinks = (environment: Variables): Variables =>
  environment.KUBERNETES_SERVICE_HOST === undefined
    ? environment
    : Object.fromEntries(
        Object.entries(environment).filter(([name, text = ""]) => !(LINK.test(name) || isLinkUrl(name, text)))
      )
