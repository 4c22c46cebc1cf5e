FROM node:20-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /service
COPY . .
RUN npm install --no-fund --no-audit && npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
# What the command line keeps outlives the container too.
ENV NODE_ENV=production SERVICE_HOST=0.0.0.0 SERVICE_DATA_DIR=/data FUNDING_STATE_DIR=/data/funding
WORKDIR /service
COPY --from=build /service/package.json ./
COPY --from=build /service/node_modules ./node_modules
COPY --from=build /service/dist ./dist
COPY --from=build /service/migrations ./migrations
COPY --from=build /service/schema ./schema
COPY --from=build /service/docs/guides ./docs/guides
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 8787 8788
# Healthy is ready: what makes it so is in docs/operating/readiness.md. What restarts unhealthy containers should ask /healthz instead.
HEALTHCHECK --interval=15s --timeout=15s --start-period=60s --retries=2 CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.SERVICE_OPS_PORT || 8788) + '/readyz').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "dist/main.js"]
