FROM node:20-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /service
COPY . .
RUN npm install --no-fund --no-audit && npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production SERVICE_HOST=0.0.0.0 SERVICE_DATA_DIR=/data
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
CMD ["node", "--max-semi-space-size=32", "dist/main.js"]
