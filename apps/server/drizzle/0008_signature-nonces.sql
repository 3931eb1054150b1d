CREATE TABLE "signature_nonces" (
	"key_id" uuid NOT NULL,
	"nonce" text NOT NULL,
	"date_expired" timestamp with time zone NOT NULL,
	CONSTRAINT "signature_nonces_key_id_nonce_pk" PRIMARY KEY("key_id","nonce")
);
--> statement-breakpoint
CREATE INDEX "signature_nonces_expired_idx" ON "signature_nonces" USING btree ("date_expired");